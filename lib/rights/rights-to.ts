import { isPlainApproval } from '../protocol/approval/plain-approval.ts';
import {
  type EarlierCall,
  errorPlace,
  type Principal,
  type Question,
  type Repeat,
} from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { asNow } from '../settings/former-ids.ts';
import { detailsOf, toolNamed } from '../settings/tools/tool-details.ts';
import { asRuled, editedBy, isAsker } from './as-ruled.ts';
import type { RuledSettings } from './delegated-right.ts';
import { withSharedLookups } from './directory.ts';
import { mapInParallel } from './map-in-parallel.ts';
import { mayRead, mayWatch } from './permissions.ts';
import type { QuestionRights } from './question-rights.ts';
import { rightToAnswer } from './right-to-answer.ts';
import { stepUpFor } from './step-up.ts';
import { voteOfPerson } from './votes.ts';

/**
 * How many questions are evaluated concurrently: a rule may query a database, and a chat may have many
 * questions.
 */
const judgedAtOnce = 8;

/** The rights of a person who may do nothing. */
export const noRights: QuestionRights = { mayAnswer: false, mayEdit: false, mayRemember: false };

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
  // A client runs the arguments that its part shows, whatever was approved.
  const isEditable = executor === 'server' && isKnown;
  // Without an option that approves the proposed arguments, nothing but one of the options can be approved.
  const hasPlain = !options || options.some(isPlainApproval);
  const { neverRemember = false, reasonOnDeny, approvals } = detailsOf(settings, toolName);
  const stepUp = stepUpFor(settings, principal, toolName);
  const isRememberable = isOurs && hasPlain && !heldBy && !neverRemember && !approvals;
  const isFilledIn = needsValue === true || heldBy !== undefined;
  const edited = editedBy(principal, question);
  return {
    mayAnswer: true,
    // What a person fills in is not an edit of the arguments, so four eyes allow it.
    mayEdit:
      isEditable &&
      hasPlain &&
      (isFilledIn || (await rightToAnswer(settings, principal, edited)) !== undefined),
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
    (await mayRead(settings, principal, { id: chatId, ownerId }));
  return { repeatOf: { at, outcome, ...(isSeen && { chatId, toolCallId }) } };
}

/** The error of an earlier call is part of the chat: only people who may see the chat read it. */
async function shownEarlier(
  settings: FlowSettings,
  principal: Principal,
  { earlier, chatId, ownerId }: Question & Required<Pick<Question, 'earlier'>>,
): Promise<Pick<QuestionRights, 'earlier'>> {
  if (await mayRead(settings, principal, { id: chatId, ownerId })) return { earlier };
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
    (await mayRead(settings, principal, chat)) || (await mayWatch(settings, principal, question));
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
