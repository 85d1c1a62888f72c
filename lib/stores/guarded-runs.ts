import { kernelEvents } from '../log/events/event-table.ts';
import type { FlowEvent } from '../protocol/index.ts';

/**
 * The runs for which these events start a call, ask a question or hand a call to the page. None of that may happen
 * after a stop request for the run. Usually empty, otherwise one run.
 */
export function guardedRuns(events: readonly FlowEvent[]): string[] {
  const runs = events.flatMap(({ type, runId }) => (kernelEvents.get(type)?.isGuarded && runId) || []);
  return [...new Set(runs)];
}
