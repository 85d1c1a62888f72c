import { executeTool, isExecutableTool } from '@ai-sdk/provider-utils';
import type { ModelMessage } from 'ai';
import type { ChatId, Clock, EventBody, JsonValue, Principal } from '../vocabulary/index.ts';
import { strikeOut, toJson } from '../vocabulary/index.ts';
import { detailsOf, modelOutputOf, summarizeOutput, toolNamed } from './tool-traits.ts';
import { type Fault, faultOf, sentenceOf } from './transient.ts';
import type { Call } from './turn.ts';
import type { FlowSettings } from './types.ts';

const defaultRetryDelayMs = 1_000;
const defaultStopGraceMs = 5_000;

/** Begins every error of a call whose outcome nobody knows. @source contract H, "Errors" */
export const unknownOutcomePrefix = 'outcome-unknown:';

type Execution = {
  readonly settings: FlowSettings;
  readonly clock: Clock;
  readonly call: Call;
  readonly input: JsonValue;
  readonly chatId: ChatId;
  readonly principal: Principal;
  /** Asked for only when the tool looks: long chats are costly to lay out. */
  readonly messages: () => ModelMessage[];
  readonly abortSignal: AbortSignal;
  /** Tells what happens on the way: progress and retries. */
  readonly report: (body: EventBody) => Promise<void>;
};

/**
 * Executes a call whose start is durable already, and returns its end. Never throws for what the tool does.
 *
 * A transient failure is retried once, unless the tool says not to, or the call is gated and not idempotent:
 * a time-out or reset of such a call may have had its effect, so its outcome is unknown.
 *
 * @source contract A8-A11, H5, T7
 */
export async function executeCall(execution: Execution): Promise<EventBody> {
  const { settings, clock, call, input, abortSignal, report } = execution;
  const { toolCallId, toolName, gate } = call.requested;
  const { idempotent = false, retryable = true } = detailsOf(settings, toolName);
  const gated = gate.type === 'ask';
  const startedAt = clock.now();
  const retry = settings.retry === false ? undefined : (settings.retry?.delayMs ?? defaultRetryDelayMs);
  let wasRetried = false;

  for (;;) {
    const result = await attempt(execution);
    const durationMs = clock.now() - startedAt;
    if (result.type === 'unknown') return unknownOutcome(call, result.why, { durationMs, wasRetried });
    if (result.type === 'output') return completed(execution, result.output, durationMs);

    const { error } = result;
    if (abortSignal.aborted) return stopped(call, durationMs);
    const fault = faultOf(error);
    if (gated && !idempotent && fault.ambiguous) {
      return unknownOutcome(call, sentenceOf(error), { durationMs, wasRetried });
    }
    const mayRetry = fault.transient && retryable && (!gated || idempotent);
    if (!mayRetry || wasRetried || retry === undefined) {
      return failed(execution, error, fault, { durationMs, wasRetried, retryable });
    }
    wasRetried = true;
    await report({
      type: 'tool-retrying',
      toolCallId,
      error: shownText(call, sentenceOf(error), input),
      delayMs: retry,
    });
    await pause(clock, retry, abortSignal);
    if (abortSignal.aborted) return stopped(call, clock.now() - startedAt);
  }
}

function stopped({ requested: { toolCallId } }: Call, durationMs: number): EventBody {
  const reason = 'Stopped while it ran.';
  const modelOutput = { type: 'error-text' as const, value: reason };
  return { type: 'tool-cancelled', toolCallId, reason, durationMs, modelOutput };
}

/** The end of a call that was started by somebody who is gone, or that timed out on an effect. Never run again. */
export function unknownOutcome(
  call: Call,
  why: string,
  { durationMs, wasRetried = false }: { durationMs?: number; wasRetried?: boolean } = {},
): EventBody {
  const { requested, started } = call;
  const error = `${unknownOutcomePrefix} ${why}`;
  return {
    type: 'tool-failed',
    toolCallId: requested.toolCallId,
    error: shownText(call, error, started?.input ?? requested.input),
    retryable: false,
    wasRetried,
    ...(durationMs === undefined ? {} : { durationMs }),
    modelOutput: {
      type: 'error-text',
      value: `${error} It may have taken effect. Do not run it again unasked.`,
    },
  };
}

type Attempt =
  | { readonly type: 'output'; readonly output: unknown }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'unknown'; readonly why: string };

/** Runs the tool once. A tool that ignores the abort signal is waited for a while, then left alone (H5). */
async function attempt(execution: Execution): Promise<Attempt> {
  const { settings, clock, abortSignal } = execution;
  const { promise: ignored, resolve: leave } = Promise.withResolvers<Attempt>();
  let cancelGrace: (() => void) | undefined;
  const onAbort = () => {
    cancelGrace = clock.after(settings.stopGraceMs ?? defaultStopGraceMs, () =>
      leave({ type: 'unknown', why: 'the run was stopped and the tool did not end in time.' }),
    );
  };
  if (abortSignal.aborted) onAbort();
  else abortSignal.addEventListener('abort', onAbort, { once: true });
  try {
    const ran = run(execution).then(
      (output): Attempt => ({ type: 'output', output }),
      (error: unknown): Attempt => ({ type: 'error', error }),
    );
    return await Promise.race([ran, ignored]);
  } finally {
    abortSignal.removeEventListener('abort', onAbort);
    cancelGrace?.();
  }
}

async function run(execution: Execution): Promise<unknown> {
  const { settings, call, input, chatId, principal, messages, abortSignal, report } = execution;
  const { toolCallId, toolName } = call.requested;
  const tool = toolNamed(settings, toolName);
  if (!isExecutableTool(tool)) throw new Error(`Tool ${toolName} is not available any more.`);
  const own = settings.toolsContext && Object.hasOwn(settings.toolsContext, toolName);
  const approvedBy = call.answered?.by;
  const context = {
    ...(own ? (settings.toolsContext?.[toolName] as object) : {}),
    principal,
    chatId,
    ...(approvedBy && { approvedBy }),
  };
  const options = {
    toolCallId,
    get messages() {
      return messages();
    },
    abortSignal,
    context,
  };
  let output: unknown;
  for await (const part of executeTool({ tool, input: input as never, options: options as never })) {
    if (part.type === 'final') output = part.output;
    else await report({ type: 'tool-progressed', toolCallId, output: toJson(part.output) });
  }
  return output;
}

async function completed(
  { settings, call, input }: Execution,
  output: unknown,
  durationMs: number,
): Promise<EventBody> {
  const { toolCallId, toolName } = call.requested;
  const plain = toJson(output);
  try {
    const modelOutput = await modelOutputOf(toolNamed(settings, toolName), { toolCallId, input }, output);
    const told = summarizeOutput(settings, toolName, plain, input);
    return { type: 'tool-completed', toolCallId, output: plain, modelOutput, durationMs, ...told };
  } catch (error) {
    // `toModelOutput` failed after the effect: the call is done, and the model must not be told otherwise.
    const text = `The tool ran, but its result could not be told: ${sentenceOf(error)}`;
    return {
      type: 'tool-completed',
      toolCallId,
      output: plain,
      modelOutput: { type: 'error-text', value: text },
      durationMs,
      ...summarizeOutput(settings, toolName, plain, input),
    };
  }
}

/** What people are told of a call's failure. The model is told all of it. */
function shownText({ requested }: Call, text: string, input: JsonValue): string {
  return strikeOut(text, input, requested.secrets?.input);
}

function failed(
  { call, input }: Execution,
  error: unknown,
  fault: Fault,
  facts: { durationMs: number; wasRetried: boolean; retryable: boolean },
): EventBody {
  const sentence = sentenceOf(error);
  return {
    type: 'tool-failed',
    toolCallId: call.requested.toolCallId,
    error: shownText(call, sentence, input),
    retryable: facts.retryable && fault.retryable,
    wasRetried: facts.wasRetried,
    durationMs: facts.durationMs,
    modelOutput: { type: 'error-text', value: sentence },
  };
}

function pause(clock: Clock, ms: number, abortSignal: AbortSignal): Promise<void> {
  if (abortSignal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  abortSignal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(cancel);
}
