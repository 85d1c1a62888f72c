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
import { editedBy, mayAnswer, withInput } from '../../rights/permissions.ts';
import { requireStepUp } from '../../rights/step-up.ts';
import { parseInput } from '../../run/call/input/parse-input.ts';
import type { ParsedInput } from '../../run/call/input/schemas.ts';
import { refusedByPause } from '../../run/call/paused-calls.ts';
import type { ReplacementReason } from '../../run/call/replace-call.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { isOutdated } from '../../run/question/outdated.ts';
import { assertPreviewed } from './assert-previewed.ts';
import type { DecidedAnswer } from './choose-option.ts';
import { approvalOf, contentOf } from './input/answer-form.ts';
import { type EditedInput, editedInput } from './input/edited-input.ts';
import { formValue, valueEvents } from './input/form-value.ts';
import { optionInput } from './input/option-input.ts';
import { forbidden, takesNoValue } from './refusals.ts';
import { rememberedWith } from './remember.ts';

/** The result of one answer: events, or the reason why an approval cannot count. A denial always counts. */
type Outcome =
  | { readonly events: EventBody[]; readonly why?: undefined }
  | { readonly events?: undefined; readonly why: ReplacementReason };

/** An open question, its call, and the head that both were folded up to. */
type Asked = { readonly head: ChatHead; readonly call: Call; readonly question: Question };

/** The principal that answers, and the transport. */
type Answerer = { readonly principal: Principal; readonly by: Person; readonly via: string };

/**
 * Checks one answer to the open question.
 *
 * @param engine for an approval, the engine of the turn. A denial needs none of its settings
 * @param asOutput whether the client sent the value as the output of the call
 * @returns the events that record it
 * @throws CountersignError `forbidden`, `step-up-required`, `input-mismatch`, `invalid-request`, `expired`, `preview-changed`,
 *   `rate-limited`
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
  if (content !== undefined)
    await assertMayEdit(engine, principal, question, call, {
      input: content,
      parsed: { fits: true, value: content, json: content },
    });
  // The author of the tool wrote the arguments of an option, so no person edited them.
  if (edited) await assertMayEdit(engine, principal, question, call, edited, chosen === undefined);
  const previewDigest =
    approved && 'principal' in engine
      ? await assertPreviewed(engine, { head, call, edited, principal }, answer)
      : undefined;
  // The deadline may have passed while a rule was evaluated.
  if (question.deadline !== undefined && question.deadline <= (await engine.clock.sure())) {
    throw new CountersignError('expired', `Question ${approvalId} has expired.`, { approvalId });
  }
  const answered: Extract<EventBody, { type: 'approval-answered' }> = {
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
    via,
    ...(engine.auditor && answererFacts(engine.settings, principal, toolName)),
  };
  if (!approved) return { events: denialOf(answered, answer) };
  if (content !== undefined) return { events: approvalOf(answered, content) };
  if (filledIn) return { events: await valueEvents(engine, call, answered, filledIn) };
  if (!(await comesOutAsShown(engine, call, edited?.parsed))) return { why: 'input-changed' };
  const { remember } = answer;
  const ran = { principal, question, input: edited?.input ?? call.requested.input };
  const remembered = remember && (await rememberedWith(engine, ran, remember));
  return { events: [remembered ? { ...answered, remembered } : answered] };
}

async function assertMayAnswer(
  engine: Engine,
  principal: Principal,
  question: Question,
  { approved }: DecidedAnswer,
): Promise<void> {
  if (!(await mayAnswer(engine.settings, principal, question))) {
    throw forbidden(question.id, 'is for somebody else to answer');
  }
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
 * A rule may depend on the arguments, so it is also evaluated for the ones that would run.
 *
 * @param isEditor whether the person who answers wrote them
 */
async function assertMayEdit(
  { settings }: Engine,
  principal: Principal,
  question: Question,
  { requested }: Call,
  { input, parsed }: EditedInput,
  isEditor = true,
): Promise<void> {
  if (isSameJson(input, requested.input)) return;
  const shown = redactParsed(parsed.json, input, requested.secrets?.input) as JsonValue;
  const ruled = isEditor ? editedBy(principal, question, shown) : withInput(question, shown);
  if (await mayAnswer(settings, principal, ruled)) return;
  throw forbidden(question.id, 'may not be answered by you with these arguments');
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
