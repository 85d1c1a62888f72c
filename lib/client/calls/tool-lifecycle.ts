import { isRecord } from '../../protocol/json.ts';

const phases = [
  'requested',
  'started',
  'searching',
  'progressed',
  'retrying',
  'completed',
  'failed',
  'denied',
  'cancelled',
] as const;

const withdrawals = ['superseded', 'cancelled', 'expired', 'tool-changed'] as const;

/** Facts about a call besides its output, live or stored. `durationMs` is milliseconds. */
export type CallMeasures = {
  readonly summary?: string;
  readonly resultCount?: number;
  readonly durationMs?: number;
  readonly wasRetried?: boolean;
};

/** Why a question ended without an answer. */
export type Withdrawal = (typeof withdrawals)[number];

/** Status of a call that neither its phase nor its part shows. */
export type CallStatus = {
  /** Whether the call took effect is unknown. */
  readonly outcome?: 'unknown';
  /** What is known about it, in a sentence. */
  readonly problem?: string;
  /** Its question was withdrawn, not denied. */
  readonly withdrawn?: Withdrawal;
};

/** One change of a call, as the transient `data-tool-lifecycle` part reports it. @source S2, T6 */
export type ToolLifecycle = CallMeasures & {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly phase: (typeof phases)[number];
  readonly error?: string;
} & CallStatus;

/** Newest report of each call, by tool call id. */
export type LifecycleByCall = ReadonlyMap<string, ToolLifecycle>;

/** Reads the data of a `data-tool-lifecycle` part; `undefined` when it is something else. */
export function parseToolLifecycle(data: unknown): ToolLifecycle | undefined {
  if (!isRecord(data)) return undefined;
  const { toolCallId, toolName, error } = data;
  const phase = phases.find((known) => known === data.phase);
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string' || !phase) return undefined;
  return {
    ...parseMeasures(data),
    ...parseStatus(data),
    toolCallId,
    toolName,
    phase,
    ...(typeof error === 'string' && { error }),
  };
}

/**
 * Reads the status fields of a report, of an outcome's `toolMetadata.countersign`, or of an answer's
 * `callProviderMetadata.countersign`. Texts are never read for a status: a person may deny with the word "expired".
 */
export function parseStatus(data: unknown): CallStatus {
  if (!isRecord(data)) return {};
  const { outcome, problem } = data;
  const withdrawn = withdrawals.find((known) => known === data.withdrawn);
  return {
    ...(outcome === 'unknown' && { outcome }),
    ...(typeof problem === 'string' && { problem }),
    ...(withdrawn && { withdrawn }),
  };
}

/** Reads the measures of a call from a report or from `toolMetadata.countersign`. Skips fields of the wrong type. */
export function parseMeasures(data: unknown): CallMeasures {
  if (!isRecord(data)) return {};
  const { summary, resultCount, durationMs, wasRetried } = data;
  return {
    ...(typeof summary === 'string' && { summary }),
    ...(typeof resultCount === 'number' && { resultCount }),
    ...(typeof durationMs === 'number' && { durationMs }),
    ...(typeof wasRetried === 'boolean' && { wasRetried }),
  };
}

/** Merges a report. The latest value of each field wins. */
export function withReport(known: LifecycleByCall, report: ToolLifecycle): LifecycleByCall {
  return new Map(known).set(report.toolCallId, { ...known.get(report.toolCallId), ...report });
}
