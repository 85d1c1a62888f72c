import type { LifecycleJson } from '../../protocol/wire/chat/lifecycle.ts';
import type { ToolInputJson } from '../../protocol/wire/chat/tool-input.ts';
import { anything, flag, number, object, oneOf, optional, text } from '../http/read-wire.ts';

/** Facts about a call besides its output, live or stored. `durationMs` is milliseconds. */
export type CallMeasures = Pick<LifecycleJson, 'summary' | 'resultCount' | 'durationMs' | 'wasRetried'>;

/** Why a question ended without an answer. */
export type Withdrawal = NonNullable<LifecycleJson['withdrawn']>;

/**
 * Status of a call that neither its phase nor its part shows. `outcome`: whether the call took effect is unknown;
 * `problem` is what is known about it, in a sentence. `withdrawn`: its question was withdrawn, not denied.
 */
export type CallStatus = Pick<LifecycleJson, 'outcome' | 'problem' | 'withdrawn'>;

/** One change of a call, as the transient `data-tool-lifecycle` part reports it. @source S2, T6 */
export type ToolLifecycle = CallMeasures &
  CallStatus &
  Pick<LifecycleJson, 'toolCallId' | 'toolName' | 'phase' | 'error' | 'output' | 'position'>;

/**
 * The newest report of a call, or the part that the model has written. `delta`: its arguments so far, until
 * it is made.
 */
export type CallReport = ToolLifecycle & Partial<Pick<ToolInputJson, 'title' | 'delta'>>;

/** The newest report of each call, by tool call id. */
export type LifecycleByCall = ReadonlyMap<string, CallReport>;

const measures = {
  summary: optional(text),
  resultCount: optional(number),
  durationMs: optional(number),
  wasRetried: optional(flag),
};
const status = {
  outcome: optional(oneOf('unknown')),
  problem: optional(text),
  withdrawn: optional(
    oneOf('superseded', 'expired', 'cancelled', 'tool-changed', 'withdrawn', 'asked-again'),
  ),
};
const readMeasures = object<CallMeasures>(measures);
const readStatus = object<CallStatus>(status);

/** Reads the data of a `data-tool-lifecycle` part; `undefined` if it has another form. */
export const parseToolLifecycle = object<ToolLifecycle>({
  ...measures,
  ...status,
  toolCallId: text,
  toolName: text,
  phase: oneOf(
    ...(['requested', 'started', 'searching', 'progressed', 'retrying'] as const),
    ...(['completed', 'failed', 'denied', 'cancelled'] as const),
  ),
  error: optional(text),
  output: anything,
  position: optional(number),
});

/**
 * Reads the status fields of a report, of an outcome's `toolMetadata.countersign`, or of an answer's
 * `callProviderMetadata.countersign`. Texts are never read to find a status, because a person may deny with
 * the word "expired".
 */
export function parseStatus(data: unknown): CallStatus {
  return readStatus(data) ?? {};
}

/**
 * Reads the measures of a call from a report or from `toolMetadata.countersign`. Skips fields of the wrong type, and the
 * summary that the server makes for a tool without `summarize` that returned one thing: a payment is not "1 result".
 */
export function parseMeasures(data: unknown): CallMeasures {
  const found: { -readonly [Name in keyof CallMeasures]: CallMeasures[Name] } = readMeasures(data) ?? {};
  if (found.summary === '1 result') delete found.summary;
  return found;
}

/**
 * Merges a report. The latest value of each field wins. Once a call is reported, it is no longer being
 * written.
 */
export function withReport(known: LifecycleByCall, report: CallReport): LifecycleByCall {
  return new Map(known).set(report.toolCallId, {
    ...known.get(report.toolCallId),
    delta: undefined,
    ...report,
  });
}

/**
 * Adds text to a call that the model is writing. An empty `delta` begins it, or restarts it in a replay.
 * Without `delta`, the call will not be made.
 *
 * @source S17, T18
 */
export function withInput(known: LifecycleByCall, { delta, ...call }: ToolInputJson): LifecycleByCall {
  const before = known.get(call.toolCallId)?.delta ?? '';
  return withReport(known, { ...call, phase: 'requested', delta: delta && before + delta });
}
