import type { ChatHead } from '../log/store-port.ts';
import { isPlainApproval } from '../protocol/approval/plain-approval.ts';
import {
  type AnswerRule,
  type ApprovalId,
  type ChatId,
  CountersignError,
  type EarlierCall,
  errorPlace,
  flowLogId,
  isPrincipal,
  type JsonValue,
  type Principal,
  personOf,
  type Question,
  type Repeat,
} from '../protocol/index.ts';
import { requestTool } from '../settings/agent-requests.ts';
import { agentOf } from '../settings/agents/agents.ts';
import type { EscalationStep } from '../settings/escalation.ts';
import { escalates, escalationFor } from '../settings/escalation-plan.ts';
import type { ApproverRule, FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { asNow, idNow } from '../settings/former-ids.ts';
import { approverRuleOf } from '../settings/required-approvals.ts';
import { detailsOf, toolNamed } from '../settings/tool-details.ts';
import { delegatedRight, delegationsTo, type RightUsed, type RuledSettings } from './delegated-right.ts';
import { withSharedLookups } from './directory.ts';
import { mapInParallel } from './map-in-parallel.ts';
import type { QuestionRights } from './question-rights.ts';
import { stepUpFor } from './step-up.ts';
import { voteOfPerson } from './votes.ts';

/**
 * How many questions are evaluated concurrently: a rule may query a database, and a chat may have many
 * questions.
 */
const judgedAtOnce = 8;

/** The rights of a person who may do nothing. */
export const noRights: QuestionRights = { mayAnswer: false, mayEdit: false, mayRemember: false };

/**
 * Lets an operator pass.
 *
 * @throws CountersignError `not-found` unless `mayOperate` returns `true`
 */
export async function checkOperator(
  settings: Pick<FlowSettings, 'mayOperate'>,
  principal: Principal,
): Promise<void> {
  if ((await settings.mayOperate?.(principal)) === true) return;
  throw new CountersignError('not-found', 'There is nothing here.');
}

/**
 * Whether this principal may see and continue a chat. Default: only its owner may. Only `true` from the rule
 * counts as permission.
 *
 * @source ADR 0022
 */
export async function mayAccess(
  settings: FlowSettings,
  principal: Principal,
  chat: { id: ChatId; ownerId: string },
): Promise<boolean> {
  if (!isPrincipal(principal)) return false;
  const rule = settings.mayAccess;
  const who = asNow(settings, principal);
  const owned = { ...chat, ownerId: idNow(settings, chat.ownerId) };
  if (rule === undefined) return owned.ownerId === who.id;
  return isYes(settings, 'mayAccess', { chatId: chat.id }, () => rule(who, owned));
}

/** Whether this principal may answer a question. @see answerRight */
export async function mayAnswer(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<boolean> {
  return (await answerRight(settings, principal, question)) !== undefined;
}

/**
 * The rule by which this principal may answer a question: every rule that exists, the flow's and the tool's, must allow it.
 * Default: only the chat's owner may. A recorded step of the escalation takes the place of the tool's rule and of the owner,
 * but not of the flow's rule. Only `true` from a rule counts as permission.
 *
 * @returns `undefined` if the principal may not answer
 * @source ADR 0015, ADR 0022, ADR 0048
 */
export async function answerRight(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<AnswerRule | undefined> {
  if (!isPrincipal(principal)) return undefined;
  const { id: approvalId, chatId, toolName } = question;
  const approvers = approverRuleOf(settings, toolName);
  const who = asNow(settings, principal);
  const ruled = asRuled(settings, question);
  const allows = (name: string, rule: ApproverRule) =>
    isYes(settings, name, { chatId, approvalId }, () => rule(who, ruled));

  const { mayAnswer: rule } = settings;
  if (rule && !(await allows('mayAnswer', rule))) return undefined;
  if (approvers) {
    const name = detailsOf(settings, toolName).approvers ? 'approvers' : 'approvals.of';
    if (await allows(`toolDetails.${toolName}.${name}`, approvers)) return rule ? 'both' : 'approvers';
  } else if (rule) return 'flow';
  else if (idNow(settings, question.ownerId) === who.id) return 'owner';

  for (const [index, { to }] of recordedSteps(settings, principal, question).entries()) {
    if (await allows(`escalation.steps[${index}].to`, to)) return 'escalation';
  }
  return undefined;
}

/** The steps that are in the log. The agent that asked can never answer. */
function recordedSteps(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): readonly EscalationStep[] {
  const { toolName, escalation } = question;
  if (toolName === requestTool && isAsker(settings, principal, question)) return [];
  const steps = escalationFor(settings, toolName)?.steps ?? [];
  return steps.slice(0, escalation?.step ?? 0);
}

/**
 * By whose right this principal may answer a question: its own if it has one, otherwise that of a person who delegated it.
 *
 * @returns `undefined` if it may not answer
 * @source ADR 0049
 */
export async function rightToAnswer(
  settings: RuledSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<RightUsed | undefined> {
  if (!isPrincipal(principal)) return undefined;
  const rule = await answerRight(settings, principal, question);
  if (rule) return { rule };
  return delegatedRight(settings, principal, question, (giver, asked) => answerRight(settings, giver, asked));
}

/** A question as rules see it. */
export function asRuled(settings: FlowSettings, question: RuledQuestion): RuledQuestion {
  return byIdsOfNow(settings, asItRuns(question));
}

/**
 * Rules see the arguments that the tool would receive, not the ones that the model wrote.
 *
 * @source ADR 0020
 */
function asItRuns({ runsAs, ...question }: RuledQuestion): RuledQuestion {
  return runsAs === undefined ? question : { ...question, input: runsAs };
}

/**
 * Rules compare current ids: nobody may approve under a new id what they asked for under a former one.
 * @source ADR 0012
 */
function byIdsOfNow(settings: FlowSettings, question: RuledQuestion): RuledQuestion {
  const { ownerId, askedBy, editedBy, votes } = question;
  return {
    ...question,
    ...(votes && {
      votes: { ...votes, cast: votes.cast.map((vote) => ({ ...vote, by: asNow(settings, vote.by) })) },
    }),
    ownerId: idNow(settings, ownerId),
    askedBy: asNow(settings, askedBy),
    ...(editedBy && { editedBy: asNow(settings, editedBy) }),
  };
}

/** Whether this principal asked for the call of a question, under any of its ids. */
export function isAsker(
  settings: FlowSettings,
  principal: Principal,
  { askedBy }: Pick<Question, 'askedBy'>,
): boolean {
  return idNow(settings, askedBy.id) === idNow(settings, principal.id);
}

/** Evaluates a rule. A failing rule is logged; otherwise nobody would learn why everybody is refused. */
async function isYes(
  { logger }: FlowSettings,
  rule: string,
  ids: { readonly chatId: ChatId; readonly approvalId?: ApprovalId },
  ask: () => unknown,
): Promise<boolean> {
  try {
    return (await ask()) === true;
  } catch (error) {
    logger?.error('A rule failed. It counts as a refusal.', { rule, ...ids, error: errorPlace(error) });
    return false;
  }
}

/**
 * True when a person other than the chat's owner may have to answer. Then the questions of all owners must be
 * searched.
 */
export function hasRules(settings: FlowSettings): boolean {
  const { mayAnswer, mayAccess, mayWatch } = settings;
  const isRuled = [mayAnswer, mayAccess, mayWatch].some((rule) => rule !== undefined);
  return isRuled || hasApprovers(settings) || escalates(settings);
}

/**
 * Whose questions must be read to find those that this principal may see.
 *
 * @returns `undefined`: those of all owners
 */
export async function ownerToRead(
  settings: RuledSettings,
  principal: Principal,
): Promise<string | undefined> {
  if (hasRules(settings) || (await delegationsTo(settings, principal)).length > 0) return undefined;
  return principal.id;
}

/** True if a tool has its own approvers, of these settings or of a subagent within. */
function hasApprovers({
  toolDetails = {},
  tools = {},
}: Pick<FlowSettings, 'tools' | 'toolDetails'>): boolean {
  return (
    Object.values(toolDetails).some((details) => details?.approvers ?? details?.approvals?.of) ||
    Object.values(tools).some((tool) => hasApprovers(agentOf(tool)?.settings ?? {}))
  );
}

/** All rights of this principal for a question. */
export async function rightsTo(
  given: RuledSettings,
  principal: Principal,
  question: Question,
): Promise<QuestionRights> {
  const settings = withSharedLookups(given);
  const { repeatOf, earlier } = question;
  const shown = {
    ...(repeatOf && (await shownRepeat(settings, principal, repeatOf))),
    ...(earlier && (await shownEarlier(settings, principal, { ...question, earlier }))),
  };
  const hasVoted = voteOfPerson(settings, votesBefore(question), principal) !== undefined;
  // Who has voted still sees the question, although the vote has used the right of a delegation.
  const { votes: _votes, ...unvoted } = question;
  const right = await rightToAnswer(settings, principal, hasVoted ? unvoted : question);
  if (!right) {
    return { ...noRights, ...whoMayAnswer(settings, principal, question), ...shown };
  }
  if (hasVoted) {
    return { ...noRights, hasVoted: true, ...shown };
  }
  const { toolName, executor, heldBy, options, needsValue } = question;
  // `prepareCall` may have its own tools. Whether this one still exists is checked at the answer.
  const isKnown =
    heldBy !== undefined || settings.prepareCall !== undefined || toolNamed(settings, toolName) !== undefined;
  const isOurs = executor !== 'provider' && isKnown;
  // Without an option that approves the proposed arguments, nothing but one of the options can be approved.
  const hasPlain = !options || options.some(isPlainApproval);
  const { neverRemember = false, reasonOnDeny, approvals } = detailsOf(settings, toolName);
  const stepUp = stepUpFor(settings, principal, toolName);
  const isRememberable = isOurs && hasPlain && !heldBy && !neverRemember && !approvals;
  const edited = editedBy(principal, question);
  return {
    mayAnswer: true,
    // What a person fills in is not an edit of the arguments, so four eyes allow it.
    mayEdit:
      isOurs &&
      hasPlain &&
      (needsValue === true || (await rightToAnswer(settings, principal, edited)) !== undefined),
    mayRemember: isRememberable && !needsValue && isAsker(settings, principal, question),
    ...(right.onBehalfOf && { onBehalfOf: right.onBehalfOf }),
    ...(stepUp && { stepUp }),
    ...(reasonOnDeny && { reasonOnDeny }),
    ...shown,
  };
}

/** The votes that a question had when it was answered, if it was. */
function votesBefore({ votes, answer }: Question): NonNullable<Question['votes']>['cast'] {
  const { cast = [] } = votes ?? {};
  // The last one is the answer.
  return answer ? cast.slice(0, -1) : cast;
}

const longestNote = 500;

/** The tool's text for a person who may not answer. */
function whoMayAnswer(
  settings: FlowSettings,
  principal: Principal,
  question: Question,
): Pick<QuestionRights, 'whoMayAnswer'> {
  const { id: approvalId, chatId, toolName, state } = question;
  const details = detailsOf(settings, toolName);
  if (!details.whoMayAnswer || state !== 'open') return {};
  try {
    const note = details.whoMayAnswer(asNow(settings, principal), asRuled(settings, question));
    return typeof note === 'string' && note.trim() !== '' ? { whoMayAnswer: note.slice(0, longestNote) } : {};
  } catch (error) {
    const facts = { toolName, chatId, approvalId, error: errorPlace(error) };
    settings.logger?.error('`whoMayAnswer` of a tool failed. The default is shown.', facts);
    return {};
  }
}

/**
 * A person who may not see the other chat learns when the earlier call happened and its outcome, but not
 * where it was.
 */
async function shownRepeat(
  settings: FlowSettings,
  principal: Principal,
  { at, outcome, chatId, ownerId, toolCallId }: Repeat,
): Promise<Pick<QuestionRights, 'repeatOf'>> {
  const isSeen =
    chatId !== undefined &&
    ownerId !== undefined &&
    (await mayAccess(settings, principal, { id: chatId, ownerId }));
  return { repeatOf: { at, outcome, ...(isSeen && { chatId, toolCallId }) } };
}

/** The error of an earlier call is part of the chat: only people who may see the chat read it. */
async function shownEarlier(
  settings: FlowSettings,
  principal: Principal,
  { earlier, chatId, ownerId }: Question & Required<Pick<Question, 'earlier'>>,
): Promise<Pick<QuestionRights, 'earlier'>> {
  if (await mayAccess(settings, principal, { id: chatId, ownerId })) return { earlier };
  return { earlier: earlier.map(withoutError) };
}

function withoutError({ toolCallId, toolName, title, outcome }: EarlierCall): EarlierCall {
  return { toolCallId, toolName, outcome, ...(title === undefined ? {} : { title }) };
}

/**
 * The rights of this principal for each of these questions, in the same order. Each question is evaluated
 * once.
 */
export function rightsToEach(
  settings: RuledSettings,
  principal: Principal,
  questions: readonly Question[],
): Promise<QuestionRights[]> {
  const shared = withSharedLookups(settings);
  return mapInParallel(questions, judgedAtOnce, (question) => rightsTo(shared, principal, question));
}

/**
 * Whether this principal may see a question without answering it. Default: nobody may. Only `true` from the rule counts as
 * permission.
 *
 * @source ADR 0043
 */
async function mayWatch(settings: FlowSettings, principal: Principal, question: Question): Promise<boolean> {
  const rule = settings.mayWatch;
  if (rule === undefined || !isPrincipal(principal)) return false;
  const { id: approvalId, chatId } = question;
  const watched = asRuled(settings, question);
  return isYes(settings, 'mayWatch', { chatId, approvalId }, () => rule(asNow(settings, principal), watched));
}

/**
 * The rights of somebody who may see a question, but neither answer it nor see any chat.
 *
 * @source ADR 0043
 */
export function watchersRights({ repeatOf, earlier }: Question): QuestionRights {
  return {
    ...noRights,
    ...(repeatOf && { repeatOf: { at: repeatOf.at, outcome: repeatOf.outcome } }),
    ...(earlier && { earlier: earlier.map(withoutError) }),
  };
}

/**
 * The rights of this principal for a question that it may see: by its own rights, through the question's chat, or because
 * it may watch it.
 */
export async function visibleRights(
  settings: RuledSettings,
  principal: Principal,
  question: Question,
): Promise<QuestionRights | undefined> {
  const rights = await rightsTo(settings, principal, question);
  if (rights.mayAnswer || rights.hasVoted) return rights;
  const chat = { id: question.chatId, ownerId: question.ownerId };
  const isSeen =
    (await mayAccess(settings, principal, chat)) || (await mayWatch(settings, principal, question));
  return isSeen ? rights : undefined;
}

/** Does the same for each question of a list. */
export function visibleRightsToEach(
  settings: RuledSettings,
  principal: Principal,
  questions: readonly Question[],
): Promise<(QuestionRights | undefined)[]> {
  const shared = withSharedLookups(settings);
  return mapInParallel(questions, judgedAtOnce, (question) => visibleRights(shared, principal, question));
}

/** The question with other arguments. @param input those that the tool would receive, redacted */
export function withInput({ runsAs: _runsAs, ...question }: Question, input: JsonValue): RuledQuestion {
  return { ...question, input };
}

/**
 * The question as rules see it when this principal answers with edited arguments.
 *
 * @param input the arguments that the tool would receive, redacted. Default: those of the question
 */
export function editedBy(principal: Principal, question: Question, input?: JsonValue): RuledQuestion {
  const edited = input === undefined ? asItRuns(question) : withInput(question, input);
  return { ...edited, editedBy: personOf(principal) };
}

/**
 * The head of a chat that this principal may see. Any other chat is reported as missing.
 *
 * @throws CountersignError `not-found`
 */
export async function accessible(
  settings: FlowSettings,
  principal: Principal,
  chatId: ChatId,
  head: ChatHead | undefined,
): Promise<ChatHead> {
  // The flow's log is not a chat, whatever a rule returns.
  if (head && head.id !== flowLogId && (await mayAccess(settings, principal, head))) return head;
  throw new CountersignError('not-found', `Chat ${chatId} was not found.`, { chatId });
}
