import type { FlowEvent, RunId } from '../../protocol/index.ts';
import type { FrameId } from './frame-id.ts';
import { createStreamEventMapping } from './mapping.ts';
import type { StreamEvent } from './schema.ts';

/** An event of a stream, and its place. */
export type PlacedEvent = { readonly id: FrameId; readonly event: StreamEvent };

/**
 * What became of calls whose question was left unanswered for the message that a stream answers. The stream that
 * announced them ended at the question, and no answer named another one, so this is where they are settled.
 *
 * @param log the chat's events, from its first on
 * @param runId the run that the stream is about; only a turn's first run has anything to settle
 * @source B12
 */
export function leftBehind(log: readonly FlowEvent[], runId: RunId): PlacedEvent[] {
  const start = log.findIndex((event) => event.type === 'run-started' && event.runId === runId);
  const before = log.slice(0, Math.max(start, 0));
  while (beginsTurn(before.at(-1))) before.pop();
  const end = before.at(-1);
  if (before.length === start || end?.type !== 'run-cancelled' || end.reason !== 'superseded') return [];

  const closing = before.findIndex((event) => event.type === 'run-started' && event.runId === end.runId);
  const eventsOf = createStreamEventMapping({ emitFrom: before[closing]?.seq ?? 0 });
  return before
    .slice(before.findLastIndex(beginsTurn))
    .flatMap((event) =>
      eventsOf(event).flatMap((told, index) =>
        told.type === 'done' ? [] : [{ id: { seq: event.seq, index, isLast: false }, event: told }],
      ),
    );
}

function beginsTurn(event: FlowEvent | undefined): boolean {
  return event?.type === 'message-received' || event?.type === 'history-cut';
}
