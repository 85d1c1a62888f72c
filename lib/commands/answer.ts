import { asSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import type { Journal } from '../log/journal.ts';
import { questionOf } from '../log/question.ts';
import { redactParsed } from '../log/redaction.ts';
import { type Call, callOfQuestion, isCleared } from '../log/turn.ts';
import {
  type AnswerRequest,
  type ApprovalId,
  type ChatId,
  CountersignError,
  canonicalJson,
  type EventBody,
  isSameJson,
  type JsonValue,
  type OutputRequest,
  type Person,
  type Principal,
  type Question,
  redact,
  redacted,
  toJson,
} from '../protocol/index.ts';
import { answererFacts } from '../rights/answerer-facts.ts';
import { editedBy, mayAnswer } from '../rights/permissions.ts';
import { requireStepUp } from '../rights/step-up.ts';
import { parseInput } from '../run/call/parse-input.ts';
import { refusedByPause } from '../run/call/paused-calls.ts';
import type { ReplacementReason } from '../run/call/replace-call.ts';
import type { ParsedInput } from '../run/call/schemas.ts';
import type { Engine } from '../run/engine.ts';
import { isOutdated } from '../run/question/outdated.ts';
import { modelOutputOf, summarizeOutput, toolNamed } from '../settings/tool-details.ts';
import { rememberedWith } from './remember.ts';
import { restoreSecrets } from './restore-secrets.ts';

/** What came in, sorted by what it can still change. */
export type SortedAnswers = {
  /** Events that settle the open question or the handed-over call; empty when nothing is fresh. */
  readonly events: readonly EventBody[];
  /** An approved client call without its outcome: recorded, but there is nothing to go on with yet. */
  readonly awaitsOutput: boolean;
  /** Calls of the open turn that were settled before. */
  readonly standing: readonly Call[];
  /** Questions of earlier messages. */
  readonly stale: readonly Question[];
  /** An approved question that is not about what would run: nothing is recorded, and it must be asked again. */
  readonly changed?: ChangedQuestion;
};

/** @see SortedAnswers.changed */
export type ChangedQuestion = { readonly call: Call; readonly why: ReplacementReason };

/**
 * Checks answers and outputs against the log, before anything is written. The first answer of a question
 * counts; what is settled already changes nothing; what was never asked is an error.
 *
 * @throws CountersignError `not-found`, `forbidden`, `step-up-required`, `input-mismatch`, `invalid-request`
 * @source contract H1, H10, T13
 */
export async function sortAnswers(
  engine: Engine,
  { turn, head }: Pick<Journal, 'turn' | 'head'>,
  request: {
    readonly chatId: ChatId;
    readonly principal: Principal;
    readonly by: Person;
    readonly via: string;
    readonly answers?: readonly AnswerRequest[];
    readonly outputs?: readonly OutputRequest[];
  },
): Promise<SortedAnswers> {
  const events: EventBody[] = [];
  const standing: Call[] = [];
  const stale: Question[] = [];
  let approved: Call | undefined;
  let changed: ChangedQuestion | undefined;

  for (const [approvalId, answer] of firstById(request.answers ?? [])) {
    const call = callOfQuestion(turn, approvalId);
    const question = call ? questionOf(call, head) : await engine.store.question(approvalId);
    if (!question || question.chatId !== request.chatId) throw neverAsked(approvalId);
    if (!call) stale.push(question);
    else if (turn.waitsFor !== call || call.answered || call.withdrawn) standing.push(call);
    else {
      const outcome = await answerEvents(engine, call, question, answer, request);
      if (outcome.why) changed = { call, why: outcome.why };
      else {
        events.push(...outcome.events);
        if (answer.approved) approved = call;
      }
    }
  }

  for (const output of request.outputs ?? []) {
    const call = turn.calls.get(output.toolCallId);
    if (call?.requested.executor !== 'client') continue;
    if (turn.waitsFor === call && !call.end && (call === approved || isCleared(call))) {
      events.push(await outputEvent(engine, call, output));
      approved = undefined;
    } else if (call.end && call.suspended) standing.push(call);
  }
  const awaitsOutput = approved?.requested.executor === 'client';
  return { events, awaitsOutput, standing, stale, ...(changed && { changed }) };
}

/**
 * True when the arguments that were asked about still come out as they were shown. What they come out as is kept for
 * the call's start.
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

/** What one answer comes to: events, or the reason why an approval cannot count. A denial always counts. */
type Outcome =
  | { readonly events: EventBody[]; readonly why?: undefined }
  | { readonly events?: undefined; readonly why: ReplacementReason };

/** An answer to nothing. @source H10 */
export function neverAsked(approvalId: ApprovalId): CountersignError {
  return new CountersignError(
    'not-found',
    `No question ${approvalId} was ever asked here. Nothing was run.`,
    {
      approvalId,
    },
  );
}

function forbidden(approvalId: ApprovalId, why: string): CountersignError {
  return new CountersignError('forbidden', `Question ${approvalId} ${why}.`, { approvalId });
}

function firstById(answers: readonly AnswerRequest[]): Map<ApprovalId, AnswerRequest> {
  return new Map(answers.toReversed().map((answer) => [answer.approvalId, answer]));
}

async function answerEvents(
  engine: Engine,
  call: Call,
  question: Question,
  answer: AnswerRequest,
  { principal, by, via }: { principal: Principal; by: Person; via: string },
): Promise<Outcome> {
  const { approvalId, approved, reason } = answer;
  const { toolCallId, toolName } = call.requested;
  if (!(await mayAnswer(engine.settings, principal, question))) {
    throw forbidden(approvalId, 'is for somebody else to answer');
  }
  requireStepUp(engine.settings, principal, question);
  await engine.pauses.ready();
  const pause = approved ? engine.pauses.of(toolName) : undefined;
  if (pause) throw refusedByPause(question, pause);
  const { secrets } = call.requested;
  const redactedAlike = (input: unknown) => canonicalJson(redact(toJson(input), secrets?.input));
  // A client's own call is shown as it runs, every other one as it was written.
  const asked = [question.input, question.runsAs ?? question.input].map(canonicalJson);
  if (answer.shownInput !== undefined && !asked.includes(redactedAlike(answer.shownInput))) {
    throw new CountersignError(
      'input-mismatch',
      `The arguments shown for question ${approvalId} are not those that were asked about. Reload and answer again.`,
      { approvalId, toolCallId },
    );
  }
  if (approved && (await isOutdated(engine, call))) return { why: 'tool-changed' };
  const edited = approved && answer.input !== undefined ? await editedInput(engine, call, answer) : undefined;
  // A rule may look at the arguments: those that would run must pass it too, not only those that were asked about.
  const isEdit = edited && !isSameJson(edited.input, call.requested.input);
  const shownEdit =
    isEdit &&
    editedBy(
      principal,
      question,
      redactParsed(edited.parsed.json, edited.input, secrets?.input) as JsonValue,
    );
  if (shownEdit && !(await mayAnswer(engine.settings, principal, shownEdit))) {
    throw forbidden(approvalId, 'may not be answered by you with these arguments');
  }
  // A rule may take its time, and the deadline does not wait for it.
  if (question.deadline !== undefined && question.deadline <= (await engine.clock.sure())) {
    throw new CountersignError('expired', `Question ${approvalId} has expired.`, { approvalId });
  }
  const answered: Extract<EventBody, { type: 'approval-answered' }> = {
    type: 'approval-answered',
    approvalId,
    toolCallId,
    approved,
    ...(reason === undefined ? {} : { reason }),
    ...(edited === undefined ? {} : { input: edited.input }),
    ...(edited?.parsed.runsAs === undefined ? {} : { runsAs: edited.parsed.runsAs }),
    by,
    via,
    ...(engine.auditor && answererFacts(engine.settings, principal, toolName)),
  };
  if (approved) {
    if (!(await comesOutAsShown(engine, call, edited?.parsed))) return { why: 'input-changed' };
    const { remember } = answer;
    const ran = { principal, question, input: edited?.input ?? call.requested.input };
    const remembered = remember && (await rememberedWith(engine, ran, remember));
    return { events: [remembered ? { ...answered, remembered } : answered] };
  }
  if (answer.remember) {
    throw new CountersignError(
      'invalid-request',
      `A denial cannot be remembered. Answer question ${approvalId} without \`remember\`.`,
      { approvalId },
    );
  }
  const told = reason === undefined ? {} : { reason };
  const modelOutput = { type: 'execution-denied' as const, ...told };
  return { events: [answered, { type: 'tool-denied', toolCallId, ...told, modelOutput }] };

  async function editedInput(
    engine: Engine,
    { requested }: Call,
    { input }: AnswerRequest,
  ): Promise<{ readonly input: JsonValue; readonly parsed: ParsedInput }> {
    if (!toolNamed(engine.settings, toolName) || requested.executor === 'provider') {
      throw new CountersignError('invalid-request', `The arguments of ${toolName} cannot be edited.`, {
        approvalId,
      });
    }
    const restored = secrets?.input ? restoreSecrets(input, requested.input, secrets.input) : { input };
    if (!restored) {
      throw new CountersignError(
        'invalid-request',
        `The edited arguments of question ${approvalId} hold ${redacted} where it cannot stand for what was hidden. ` +
          'Send the value itself, or leave the field, or the item of a list, as it was shown.',
        { approvalId, toolCallId },
      );
    }
    const edited = toJson(restored.input);
    const parsed = await parseInput(engine, { ...requested, inputForm: 'raw' }, edited);
    // An older question shows what its arguments were parsed to; edited, they would be parsed once more.
    const isSettled = requested.inputForm === 'raw' || (parsed.fits && parsed.runsAs === undefined);
    if (parsed.fits && isSettled) return { input: edited, parsed };
    throw new CountersignError(
      'invalid-request',
      `The edited arguments of question ${approvalId} do not fit the schema of ${toolName}.`,
      { approvalId, toolCallId },
    );
  }
}

async function outputEvent(engine: Engine, call: Call, output: OutputRequest): Promise<EventBody> {
  const { toolCallId, toolName } = call.requested;
  const input = call.answered?.input ?? call.requested.input;
  if (output.errorText !== undefined) {
    const error = output.errorText;
    const modelOutput = { type: 'error-text' as const, value: error };
    const final = { outcome: 'failed', retryable: false, wasRetried: false } as const;
    return { type: 'tool-failed', toolCallId, error, ...final, modelOutput };
  }
  const tool = toolNamed(engine.settings, toolName);
  const checked = tool?.outputSchema
    ? await safeValidateTypes({ value: output.output, schema: asSchema(tool.outputSchema) })
    : { success: true as const, value: output.output };
  if (!checked.success) {
    throw new CountersignError(
      'invalid-request',
      `The output for call ${toolCallId} does not fit the output schema of ${toolName}.`,
      { toolCallId },
    );
  }
  const plain = toJson(checked.value);
  const parsed = await parseInput(engine, call.requested, input);
  const value = parsed.fits ? parsed.value : input;
  const shown = redactParsed(value, input, call.requested.secrets?.input);
  return {
    type: 'tool-completed',
    toolCallId,
    output: plain,
    modelOutput: await modelOutputOf(tool, { toolCallId, input: value }, checked.value),
    ...summarizeOutput(engine.settings, toolName, plain, shown),
  };
}
