import { redactParsed } from '../../log/redaction.ts';
import type { ChatHead } from '../../log/store-port.ts';
import type { Call } from '../../log/turn/turn.ts';
import {
  type AnswerRequest,
  CountersignError,
  canonicalJson,
  type EventBody,
  type EventOf,
  isSameJson,
  type JsonValue,
  type Person,
  type Principal,
  type Question,
  redact,
  toJson,
} from '../../protocol/index.ts';
import { answererFacts } from '../../rights/answerer-facts.ts';
import { editedBy, withInput } from '../../rights/as-ruled.ts';
import type { RightUsed } from '../../rights/delegated-right.ts';
import { rightToAnswer } from '../../rights/right-to-answer.ts';
import { requireStepUp } from '../../rights/step-up.ts';
import { settles } from '../../rights/votes.ts';
import { parseInput } from '../../run/call/input/parse-input.ts';
import type { ParsedInput } from '../../run/call/input/schemas.ts';
import { refusedByPause } from '../../run/call/paused-calls.ts';
import type { EditOfVoter, ReplacementReason } from '../../run/call/replace-call.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { isOutdated } from '../../run/question/outdated.ts';
import type { RuledQuestion } from '../../settings/flow-settings.ts';
import { assertPreviewed } from './assert-previewed.ts';
import type { DecidedAnswer } from './choose-option.ts';
import { approvalOf, contentOf } from './input/answer-form.ts';
import { type EditedInput, editedInput } from './input/edited-input.ts';
import { formValue, valueEvents } from './input/form-value.ts';
import { optionInput } from './input/option-input.ts';
import { forbidden, takesNoValue } from './refusals.ts';
import { rememberedWith } from './remember.ts';
import type { VoteBody } from './vote/record-vote.ts';

/**
 * The result of one answer: events that settle the question, a vote that does not, or the reason why an approval cannot
 * count. A denial always counts. `edit`: the arguments are changed, so everybody is asked again (ADR 0047).
 */
type Outcome =
  | { readonly events: EventBody[]; readonly vote?: undefined; readonly why?: undefined }
  | { readonly events?: undefined; readonly vote: VoteBody; readonly why?: undefined }
  | {
      readonly events?: undefined;
      readonly vote?: undefined;
      readonly why: ReplacementReason;
      readonly edit?: EditOfVoter;
    };

/** An open question, its call, and the head that both were folded up to. */
type Asked = { readonly head: ChatHead; readonly call: Call; readonly question: Question };

type AnsweredBody = Extract<EventBody, { type: 'approval-answered' }>;

/** The principal that answers, and the transport. */
type Answerer = { readonly principal: Principal; readonly by: Person; readonly via: string };

/**
 * Checks one answer to the open question.
 *
 * @param engine for an approval, the engine of the turn. A denial needs none of its settings
 * @param asOutput whether the client sent the value as the output of the call
 * @returns what to record
 * @throws CountersignError `forbidden`, `step-up-required`, `input-mismatch`, `invalid-request`, `preview-changed`, `rate-limited`
 */
export async function checkAnswer(
  engine: Engine | TurnEngine,
  { head, call, question }: Asked,
  answer: DecidedAnswer,
  { principal, by, via }: Answerer,
  asOutput = false,
): Promise<Outcome> {
  const { approvalId, approved, option, reason } = answer;
  const { toolCallId, toolName } = call.requested;
  await assertMayAnswer(engine, principal, question, answer);
  assertSameInput(question, call, answer);
  if (approved && (await isOutdated(engine, call))) return { why: 'tool-changed' };
  const { form } = call.requested;
  const isAsked = call.asked?.needsValue === true;
  const filledIn = approved && isAsked ? await formValue(engine, call, answer) : undefined;
  if (answer.value !== undefined && !filledIn) throw takesNoValue(approvalId);
  const content = approved && form !== undefined ? contentOf(form, call, answer) : undefined;
  const chosen = approved ? await optionInput(engine, call, option) : undefined;
  if (chosen?.why) return chosen;
  const edited =
    chosen?.input ??
    (approved && form === undefined && !isAsked && answer.input !== undefined
      ? await editedInput(engine, call, answer)
      : undefined);
  const written: EditedInput | undefined =
    content === undefined
      ? edited
      : { input: content, parsed: { fits: true, value: content, json: content } };
  // The author of the tool wrote the arguments of an option, and the content of a form is no edit.
  const editor = chosen === undefined && content === undefined ? principal : undefined;
  const ruled = written ? ruledAs(editor, question, call, written) : question;
  if (ruled !== question)
    await requireRight(engine, principal, ruled, 'may not be answered by you with these arguments');
  const previewDigest =
    approved && 'principal' in engine
      ? await assertPreviewed(engine, { head, call, edited, principal }, answer)
      : undefined;
  // A delegation may have been revoked meanwhile, or its giver may have lost the right.
  const { rule, onBehalfOf } = await requireRight(engine, principal, ruled);
  const answered: AnsweredBody = {
    type: 'approval-answered',
    approvalId,
    toolCallId,
    approved,
    ...(reason === undefined ? {} : { reason }),
    ...(option === undefined ? {} : { option }),
    ...(asOutput && { asOutput: true as const }),
    ...(edited === undefined ? {} : { input: edited.input }),
    ...(edited?.parsed.runsAs === undefined ? {} : { runsAs: edited.parsed.runsAs }),
    ...(previewDigest === undefined ? {} : { previewDigest }),
    by,
    ...(onBehalfOf && { onBehalfOf }),
    via,
    ...(engine.auditor && answererFacts(engine.settings, principal, toolName, rule)),
  };
  const isSettled = settles(engine.settings, call.asked?.approvals, [...(call.votes ?? []), answered]);
  const vote = isSettled ? undefined : voteOf(answered, question);
  if (!approved) {
    const events = denialOf(answered, answer);
    return vote ? { vote } : { events };
  }
  if (content !== undefined) return { events: approvalOf(answered, content) };
  if (filledIn) return { events: await valueEvents(engine, call, answered, filledIn) };
  if (!(await comesOutAsShown(engine, call, edited?.parsed))) return { why: 'input-changed' };
  const { remember } = answer;
  const ran = { principal, question, input: edited?.input ?? call.requested.input };
  const remembered = remember && (await rememberedWith(engine, ran, remember));
  const { count = 1 } = call.asked?.approvals ?? {};
  if (edited && count > 1 && !isSameJson(edited.input, call.requested.input)) {
    // Nobody has seen these arguments but the person who wrote them.
    return { why: 'edited', edit: { input: edited.input, by, vote: voteOf(answered, question) } };
  }
  if (vote) return { vote };
  return { events: [remembered ? { ...answered, remembered } : answered] };
}

function voteOf(
  {
    approvalId,
    toolCallId,
    approved,
    reason,
    previewDigest,
    by,
    onBehalfOf,
    via,
    approver,
    rule,
  }: AnsweredBody,
  { digest }: Question,
): VoteBody {
  return {
    type: 'approval-voted',
    ...{ approvalId, toolCallId, approved },
    ...(reason === undefined ? {} : { reason }),
    ...{ by, ...(onBehalfOf && { onBehalfOf }), via },
    ...(digest === undefined ? {} : { digest }),
    ...(previewDigest === undefined ? {} : { previewDigest }),
    ...(approver && { approver }),
    ...(rule && { rule }),
  };
}

async function assertMayAnswer(
  engine: Engine,
  principal: Principal,
  question: Question,
  { approved }: DecidedAnswer,
): Promise<void> {
  await requireRight(engine, principal, question);
  requireStepUp(engine.settings, principal, question);
  await engine.pauses.ready();
  const pause = approved ? engine.pauses.of(question.toolName) : undefined;
  if (pause) throw refusedByPause(question, pause);
}

/** The client sends the arguments that it showed, or their digest. They must be those of the question. */
function assertSameInput(
  question: Question,
  { requested }: Call,
  { approvalId, shownInput, digest }: AnswerRequest,
): void {
  const { toolCallId, secrets } = requested;
  if (digest !== undefined && digest !== question.digest) {
    throw new CountersignError(
      'input-mismatch',
      `Question ${approvalId} is not the one that was shown. Read it again.`,
      { approvalId, toolCallId },
    );
  }
  if (shownInput === undefined) return;
  // A client's own call is shown as it runs, every other call as the model wrote it.
  const asked = [question.input, question.runsAs ?? question.input].map(canonicalJson);
  if (asked.includes(canonicalJson(redact(toJson(shownInput), secrets?.input)))) return;
  throw new CountersignError(
    'input-mismatch',
    `The arguments shown for question ${approvalId} are not those that were asked about. Reload and answer again.`,
    { approvalId, toolCallId },
  );
}

/**
 * By whose right this person answers, as of now.
 *
 * @throws CountersignError `forbidden`
 * @source ADR 0015, ADR 0049
 */
async function requireRight(
  { settings, delegations }: Engine,
  principal: Principal,
  question: RuledQuestion,
  refusal = 'is for somebody else to answer',
): Promise<RightUsed> {
  // What other instances have revoked before this counts.
  await delegations?.refresh();
  const right = await rightToAnswer(settings, principal, question);
  if (right) return right;
  throw forbidden(question.id, refusal);
}

/**
 * The question as rules see it: with the arguments that would run, if they differ, because a rule may depend on them.
 *
 * @param editor the person who wrote them
 */
function ruledAs(
  editor: Principal | undefined,
  question: Question,
  { requested }: Call,
  { input, parsed }: EditedInput,
): RuledQuestion {
  if (isSameJson(input, requested.input)) return question;
  const shown = redactParsed(parsed.json, input, requested.secrets?.input) as JsonValue;
  return editor ? editedBy(editor, question, shown) : withInput(question, shown);
}

function denialOf(
  answered: Omit<EventOf<'approval-answered'>, 'seq' | 'at' | 'runId'>,
  { approvalId, reason, remember }: AnswerRequest,
): EventBody[] {
  if (remember) {
    throw new CountersignError(
      'invalid-request',
      `A denial cannot be remembered. Answer question ${approvalId} without \`remember\`.`,
      { approvalId },
    );
  }
  const given = reason === undefined ? {} : { reason };
  const modelOutput = { type: 'execution-denied' as const, ...given };
  const { toolCallId } = answered;
  return [answered, { type: 'tool-denied', toolCallId, ...given, modelOutput }];
}

/**
 * True if the arguments in the question still parse to what was shown. The parsed value is kept for the
 * call's start.
 */
async function comesOutAsShown(
  engine: Engine,
  call: Call,
  edited: ParsedInput | undefined,
): Promise<boolean> {
  const { requested, asked } = call;
  const parsing = edited ?? (await parseInput(engine, requested, requested.input));
  if (!parsing.fits) return false;
  const shown = asked?.runsAs ?? requested.input;
  if (!edited && !isSameJson(parsing.json, shown)) return false;
  engine.schemas.keep(call, parsing);
  return true;
}
