import { type LifecycleJson, lifecycleSchema } from '../../protocol/wire/lifecycle.ts';
import { readWire, tolerant } from '../read-wire.ts';

const readableReport = tolerant(lifecycleSchema.omit({ retryable: true }).partial({ kind: true, at: true }));
const readableMeasures = readableReport.pick({
  summary: true,
  resultCount: true,
  durationMs: true,
  wasRetried: true,
});
const readableStatus = readableReport.pick({ outcome: true, problem: true, withdrawn: true });

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
  Pick<LifecycleJson, 'toolCallId' | 'toolName' | 'phase' | 'error' | 'output'>;

/** Newest report of each call, by tool call id. */
export type LifecycleByCall = ReadonlyMap<string, ToolLifecycle>;

/** Reads the data of a `data-tool-lifecycle` part; `undefined` when it is something else. */
export function parseToolLifecycle(data: unknown): ToolLifecycle | undefined {
  return readWire(readableReport, data);
}

/**
 * Reads the status fields of a report, of an outcome's `toolMetadata.countersign`, or of an answer's
 * `callProviderMetadata.countersign`. Texts are never read for a status: a person may deny with the word "expired".
 */
export function parseStatus(data: unknown): CallStatus {
  return readWire(readableStatus, data) ?? {};
}

/** Reads the measures of a call from a report or from `toolMetadata.countersign`. Skips fields of the wrong type. */
export function parseMeasures(data: unknown): CallMeasures {
  return readWire(readableMeasures, data) ?? {};
}

/** Merges a report. The latest value of each field wins. */
export function withReport(known: LifecycleByCall, report: ToolLifecycle): LifecycleByCall {
  return new Map(known).set(report.toolCallId, { ...known.get(report.toolCallId), ...report });
}
