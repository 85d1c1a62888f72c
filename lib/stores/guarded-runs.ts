import type { FlowEvent } from '../protocol/index.ts';

const guarded: ReadonlySet<FlowEvent['type']> = new Set([
  'tool-started',
  'approval-requested',
  // A call that is left to the page starts there.
  'run-suspended',
]);

/**
 * The runs for which these events start a call, ask a question or leave a call to the page: what must not happen once
 * a run was asked to stop. Almost always none, else one.
 */
export function guardedRuns(events: readonly FlowEvent[]): string[] {
  const runs = events.filter(({ type }) => guarded.has(type)).flatMap(({ runId }) => runId ?? []);
  return [...new Set(runs)];
}
