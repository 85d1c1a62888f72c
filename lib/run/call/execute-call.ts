import { Conflict } from '../../log/conflict.ts';
import { unknownOutcomePrefix } from '../../log/turn/call-end.ts';
import type { Call } from '../../log/turn/turn.ts';
import { steadyTime } from '../../protocol/clock/clock.ts';
import { sleep } from '../../protocol/clock/sleep.ts';
import { type EventBody, type JsonValue, redact, strikeOut } from '../../protocol/index.ts';
import { describedError, detailsOf, timeLimitOf } from '../../settings/tools/tool-details.ts';
import type { LateOutcome } from '../outcomes/late-outcomes.ts';
import { cancelled, failed as failedEnd } from '../step/call-end.ts';
import type { Attempt } from './attempt.ts';
import { sentenceOf } from './error-sentence.ts';
import { pausedBeforeRerun, pausedEnd } from './paused-calls.ts';
import { completed } from './result/completed.ts';
import { type Execution, runTool } from './run-tool.ts';
import { faultOf } from './transient.ts';

const defaultRetryDelayMs = 1_000;

/** A service that asks to wait longer is not called again: the person may try later. */
const longestRetryDelayMs = 30_000;

/**
 * Executes a call whose start is durable, and returns its end. Never throws for what the tool does.
 *
 * A transient failure of an idempotent tool is retried once. A time-out or reset of any other may have had its
 * effect, so the call's outcome is unknown.
 *
 * @param execution.onLate receives the outcome of an abandoned call, and of a call that did not run because its lease
 *   was lost
 * @throws Conflict when the run belongs to another instance: `execute` was not called
 * @source A8-A11, H5, T7, ADR 0019
 */
export async function executeCall(
  execution: Execution & { readonly onLate: (late: LateOutcome) => void },
): Promise<EventBody> {
  const { settings, clock, call, input, abortSignal, report, onLate } = execution;
  const { toolCallId, toolName } = call.requested;
  const { idempotent = false, retryable = true } = detailsOf(settings, toolName);
  const timeoutMs = timeLimitOf(settings, toolName);
  const startedAt = steadyTime(clock);
  const passedMs = () => Math.round(steadyTime(clock) - startedAt);
  const retryDelayMs =
    settings.retry === false ? undefined : (settings.retry?.delayMs ?? defaultRetryDelayMs);
  const isFirst = call.retried === undefined;

  for (let isRetry = false; ; isRetry = true) {
    const result = await runTool(execution);
    const facts = { durationMs: passedMs(), wasRetried: isRetry || !isFirst };
    if (result.type === 'output') return completed(execution, result, facts.durationMs);
    if (result.type === 'paused') {
      return isFirst && !isRetry
        ? pausedEnd(call, result.pause)
        : unknownOutcome(call, pausedBeforeRerun, facts);
    }
    if (result.type === 'not-started') {
      const neverRan = isFirst && !isRetry;
      const isLost = result.why === 'lost' || Conflict.is(abortSignal.reason);
      if (!isLost) return stopped(call, neverRan ? undefined : facts.durationMs);
      if (neverRan) onLate({ outcome: 'not-run' });
      throw new Conflict(`The run of call ${toolCallId} belongs to another instance.`);
    }
    if (result.type === 'abandoned') {
      if (result.why === 'timed-out' && idempotent) {
        const error = new Error(`The tool did not answer within its limit of ${timeoutMs} ms.`);
        return failed(execution, error, { ...facts, retryable });
      }
      void result.later.then((later) => reportLate(execution, later, facts, onLate));
      const how = { ...facts, stopped: result.why === 'stopped' };
      return unknownOutcome(call, whyAbandoned(result.why, timeoutMs), how);
    }

    const { error } = result;
    const described = describedFailure(execution, error);
    if (abortSignal.aborted) {
      // A run that was taken over cannot record this end. What the tool said is reported late.
      if (Conflict.is(abortSignal.reason)) await reportLate(execution, result, facts, onLate);
      return stopped(call, facts.durationMs);
    }
    const fault = faultOf(error, clock.now());
    const delayMs = Math.max(retryDelayMs ?? 0, fault.retryAfterMs ?? 0);
    const mayRetry = retryDelayMs !== undefined && delayMs <= longestRetryDelayMs;
    if (!idempotent && fault.ambiguous) return unknownOutcome(call, sentenceOf(described), facts);
    if (!idempotent || !fault.transient || isRetry || !mayRetry) {
      return failed(execution, described, { ...facts, retryable: retryable && fault.retryable });
    }
    await report({
      type: 'tool-retrying',
      toolCallId,
      error: shownText(call, sentenceOf(described), input),
      delayMs,
    });
    await sleep(delayMs, abortSignal, clock);
    if (abortSignal.aborted) return stopped(call, passedMs());
  }
}

function whyAbandoned(why: 'stopped' | 'timed-out', timeoutMs: number | undefined): string {
  return why === 'stopped'
    ? 'the run was stopped and the tool did not end in time.'
    : `the tool did not answer within its limit of ${timeoutMs} ms.`;
}

/** Reports nothing for an error that only says that the call was aborted, or that may have come after the effect. */
async function reportLate(
  execution: Execution,
  later: Attempt,
  facts: { durationMs: number; wasRetried: boolean },
  onLate: (late: LateOutcome) => void,
): Promise<void> {
  if (later.type === 'output') {
    onLate({ outcome: 'ended', end: await completed(execution, later, facts.durationMs) });
  }
  // The call was abandoned before `execute` was called. That says nothing about an earlier attempt.
  const cameToNothing = later.type === 'not-started' || later.type === 'paused';
  if (cameToNothing && !facts.wasRetried) onLate({ outcome: 'not-run' });
  if (later.type !== 'error') return;
  const fault = faultOf(later.error);
  const isAbort = later.error instanceof Error && later.error.name === 'AbortError';
  if (fault.ambiguous || isAbort) return;
  const described = describedFailure(execution, later.error);
  onLate({ outcome: 'ended', end: failed(execution, described, { ...facts, retryable: fault.retryable }) });
}

/** An error that the tool threw, as its author describes it, or else itself. */
function describedFailure({ settings, call, input }: Execution, error: unknown): unknown {
  const { toolName, secrets } = call.requested;
  return describedError(settings, toolName, error, redact(input, secrets?.input)) ?? error;
}

/** @param durationMs absent when it never ran */
function stopped({ requested: { toolCallId } }: Call, durationMs: number | undefined): EventBody {
  const reason = durationMs === undefined ? 'Stopped before it ran.' : 'Stopped while it ran.';
  return cancelled(toolCallId, reason, durationMs);
}

/** The end of a call whose owner is gone, or that timed out and may have had its effect. It is never run again. */
export function unknownOutcome(
  call: Call,
  why: string,
  {
    durationMs,
    wasRetried = false,
    stopped: wasStopped = false,
  }: { durationMs?: number; wasRetried?: boolean; stopped?: boolean } = {},
): EventBody {
  const { requested, started } = call;
  const error = `${unknownOutcomePrefix} ${why}`;
  return {
    type: 'tool-failed',
    toolCallId: requested.toolCallId,
    error: shownText(call, error, started?.input ?? requested.input),
    outcome: 'unknown',
    retryable: false,
    wasRetried,
    stopped: wasStopped ? true : undefined,
    durationMs,
    modelOutput: {
      type: 'error-text',
      value: `${error} It may have taken effect. Do not run it again unasked.`,
    },
  };
}

/** The text of a failure for people, without secrets. The model gets the whole text. */
function shownText({ requested }: Call, text: string, input: JsonValue): string {
  return strikeOut(text, input, requested.secrets?.input);
}

/** The end of a call that had no effect. `durationMs`: absent if it was not measured. */
export function failed(
  { call, input }: Pick<Execution, 'call' | 'input'>,
  error: unknown,
  { durationMs, wasRetried, retryable }: { durationMs?: number; wasRetried: boolean; retryable: boolean },
): Extract<EventBody, { type: 'tool-failed' }> {
  const { toolCallId, parent } = call.requested;
  const sentence = sentenceOf(error);
  const end = failedEnd(toolCallId, sentence, shownText(call, sentence, input));
  // Only the subagent could repeat its call.
  return { ...end, retryable: retryable && parent === undefined, wasRetried, durationMs };
}
