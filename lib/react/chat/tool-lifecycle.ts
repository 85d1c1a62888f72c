import { isRecord } from '../../vocabulary/json.ts';

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

/** What came of a call beside its output, live or read back. `durationMs` is milliseconds. */
export type CallMeasures = {
  readonly summary?: string;
  readonly resultCount?: number;
  readonly durationMs?: number;
  readonly wasRetried?: boolean;
};

/** One change of a call, as the transient `data-tool-lifecycle` part reports it. @source contract S, T6 */
export type ToolLifecycle = CallMeasures & {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly phase: (typeof phases)[number];
  readonly error?: string;
};

/** Newest report of each call, by tool call id. */
export type LifecycleByCall = ReadonlyMap<string, ToolLifecycle>;

/** Reads the data of a `data-tool-lifecycle` part; `undefined` when it is something else. */
export function parseToolLifecycle(data: unknown): ToolLifecycle | undefined {
  if (!isRecord(data)) return undefined;
  const { toolCallId, toolName, error } = data;
  const phase = phases.find((known) => known === data.phase);
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string' || !phase) return undefined;
  return { ...parseMeasures(data), toolCallId, toolName, phase, ...(typeof error === 'string' && { error }) };
}

/** Reads what a report, or an outcome's `toolMetadata.countersign`, says of a call. Odd fields are left out. */
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

/** Takes one report in. Later reports win, but keep what an earlier one gave and they leave out. */
export function withReport(known: LifecycleByCall, report: ToolLifecycle): LifecycleByCall {
  return new Map(known).set(report.toolCallId, { ...known.get(report.toolCallId), ...report });
}
