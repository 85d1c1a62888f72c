import type { FlowEvent } from '../protocol/index.ts';

const guarded: ReadonlySet<FlowEvent['type']> = new Set([
  'tool-started',
  'approval-requested',
  // A call that the page executes starts here.
  'run-suspended',
]);

/**
 * The runs for which these events start a call, ask a question or hand a call to the page. None of that may happen
 * after a stop request for the run. Usually empty, otherwise one run.
 */
export function guardedRuns(events: readonly FlowEvent[]): string[] {
  const runs = events.filter(({ type }) => guarded.has(type)).flatMap(({ runId }) => runId ?? []);
  return [...new Set(runs)];
}
