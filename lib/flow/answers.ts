import { asSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import {
  type AnswerRequest,
  type ApprovalId,
  type ChatId,
  CountersignError,
  canonicalJson,
  type EventBody,
  type JsonValue,
  type OutputRequest,
  type Person,
  type Principal,
  type Question,
  redact,
  redacted,
  toJson,
} from '../vocabulary/index.ts';
import type { Engine } from './engine.ts';
import { rememberedWith } from './grants/remember.ts';
import type { Journal } from './journal.ts';
import { editedBy, mayAnswer } from './permissions.ts';
import { questionOf } from './projections/question.ts';
import { restoreSecrets } from './restore-secrets.ts';
import { modelOutputOf, summarizeOutput, toolNamed } from './tool-traits.ts';
import { type Call, callOfQuestion, isCleared } from './turn.ts';

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
};

/**
 * Checks answers and outputs against the log, before anything is written. The first answer of a question
 * counts; what is settled already changes nothing; what was never asked is an error.
 *
 * @throws CountersignError `not-found`, `forbidden`, `input-mismatch`, `invalid-request`
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

  for (const [approvalId, answer] of firstById(request.answers ?? [])) {
    const call = callOfQuestion(turn, approvalId);
    const question = call ? questionOf(call, head) : await engine.store.question(approvalId);
    if (!question || question.chatId !== request.chatId) throw neverAsked(approvalId);
    if (!call) stale.push(question);
    else if (turn.waitsFor !== call || call.answered || call.withdrawn) standing.push(call);
    else {
      events.push(...(await answerEvents(engine, call, question, answer, request)));
      if (answer.approved) approved = call;
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
  return { events, awaitsOutput, standing, stale };
}

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
): Promise<EventBody[]> {
  const { approvalId, approved, reason } = answer;
  const { toolCallId, toolName } = call.requested;
  if (!mayAnswer(engine.settings, principal, question)) {
    throw forbidden(approvalId, 'is for somebody else to answer');
  }
  const { secrets } = call.requested;
  const redactedAlike = (input: unknown) => canonicalJson(redact(toJson(input), secrets?.input));
  if (answer.shownInput !== undefined && redactedAlike(answer.shownInput) !== canonicalJson(question.input)) {
    throw new CountersignError(
      'input-mismatch',
      `The arguments shown for question ${approvalId} are not those that were asked about. Reload and answer again.`,
      { approvalId, toolCallId },
    );
  }
  const edited = approved && answer.input !== undefined ? await editedInput(engine, call, answer) : undefined;
  // A rule may look at the arguments: those that would run must pass it too, not only those that were asked about.
  const isEdit = edited !== undefined && canonicalJson(edited) !== canonicalJson(call.requested.input);
  const shownEdit = isEdit && editedBy(principal, question, redact(edited, secrets?.input));
  if (shownEdit && !mayAnswer(engine.settings, principal, shownEdit)) {
    throw forbidden(approvalId, 'may not be answered by you with these arguments');
  }
  const answered: Extract<EventBody, { type: 'approval-answered' }> = {
    type: 'approval-answered',
    approvalId,
    toolCallId,
    approved,
    ...(reason === undefined ? {} : { reason }),
    ...(edited === undefined ? {} : { input: edited }),
    by,
    via,
  };
  if (approved) {
    const { remember } = answer;
    const ran = { principal, question, input: edited ?? call.requested.input };
    return [remember ? { ...answered, remembered: await rememberedWith(engine, ran, remember) } : answered];
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
  return [answered, { type: 'tool-denied', toolCallId, ...told, modelOutput }];

  async function editedInput(
    engine: Engine,
    { requested }: Call,
    { input }: AnswerRequest,
  ): Promise<JsonValue> {
    const tool = toolNamed(engine.settings, toolName);
    if (!tool || requested.executor === 'provider') {
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
    const checked = await safeValidateTypes({ value: restored.input, schema: asSchema(tool.inputSchema) });
    if (checked.success) return toJson(checked.value);
    throw new CountersignError(
      'invalid-request',
      `The edited arguments of question ${approvalId} do not fit the schema of ${toolName}.`,
      { approvalId, toolCallId },
    );
  }
}

async function outputEvent(engine: Engine, call: Call, output: OutputRequest): Promise<EventBody> {
  const { toolCallId, toolName, input } = call.requested;
  if (output.errorText !== undefined) {
    const error = output.errorText;
    const modelOutput = { type: 'error-text' as const, value: error };
    return { type: 'tool-failed', toolCallId, error, retryable: false, wasRetried: false, modelOutput };
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
  return {
    type: 'tool-completed',
    toolCallId,
    output: plain,
    modelOutput: await modelOutputOf(tool, { toolCallId, input }, checked.value),
    ...summarizeOutput(engine.settings, toolName, plain, input),
  };
}
