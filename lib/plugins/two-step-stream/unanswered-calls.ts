import type { FlowEvent, RunId } from '../../protocol/index.ts';
import { project } from '../../views/reader/projection.ts';
import { type PlacedEvent, placedEvents } from './placed-events.ts';

/**
 * The outcomes of the calls that the previous turn left unanswered when the message of this stream arrived. The stream
 * that announced those calls ended at their question, and no answer named another stream, so this one reports them.
 *
 * @param log the chat's events, from its first on
 * @param runId the run that the stream is about; only the first run of a turn has such calls
 * @param acceptsApprovals whether the client says so: other clients have not received calls that wait for an answer
 * @source B12
 */
export function unansweredCalls(
  log: readonly FlowEvent[],
  runId: RunId,
  acceptsApprovals: boolean,
): PlacedEvent[] {
  const start = log.findIndex((event) => event.type === 'run-started' && event.runId === runId);
  const before = log.slice(0, Math.max(start, 0));
  while (beginsTurn(before.at(-1))) before.pop();
  const end = before.at(-1);
  if (before.length === start || end?.type !== 'run-cancelled' || end.reason !== 'superseded') return [];

  const closing = before.find((event) => event.type === 'run-started' && event.runId === end.runId);
  const lastTurn = before.slice(before.findLastIndex(beginsTurn));
  const placed = project(placedEvents(acceptsApprovals), lastTurn, { emitFrom: closing?.seq ?? 0 });
  return placed.filter(({ event }) => event.type !== 'done');
}

function beginsTurn(event: FlowEvent | undefined): boolean {
  return event?.type === 'message-received' || event?.type === 'history-cut';
}
