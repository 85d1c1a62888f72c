import type { Redaction } from '../../log/events/event-row.ts';
import { kernelEvents } from '../../log/events/event-table.ts';
import type { FlowEvent } from '../../protocol/index.ts';

/**
 * Redacts events for people, by the rows of their types. This is the only place where a view removes secrets: inputs and
 * outputs that a tool keeps secret, the model's version of them, the log entry of a repeated call, and everything of an
 * asker except the name. Of an event without a row, only its place, time, run and type remain: what a plugin keeps secret is
 * unknown where it is not installed.
 *
 * Feed it the events of a turn or of a chat in order: a call's secret paths are in its `tool-requested`. Redacting twice
 * changes nothing more.
 *
 * @source ADR 0011, ADR 0015, ADR 0056
 */
export function createRedaction(table = kernelEvents): (event: FlowEvent) => FlowEvent {
  const reading: Redaction = { hidden: new Map(), redact: redactEvent };

  function redactEvent(event: FlowEvent): FlowEvent {
    return table.get(event.type)?.redact(event, reading) ?? headOf(event);
  }
  return redactEvent;
}

/** A whole log as people may read it. @see createRedaction */
export function redactEvents(events: readonly FlowEvent[], table = kernelEvents): FlowEvent[] {
  return events.map(createRedaction(table));
}

/** Not a `FlowEvent`: its type is none of ours, and every reader skips it. */
function headOf({ type, seq, at, runId }: FlowEvent): FlowEvent {
  return { type, seq, at, ...(runId !== undefined && { runId }) } as FlowEvent;
}
