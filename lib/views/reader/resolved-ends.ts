import type { CallEnd } from '../../log/turn/call-end.ts';
import { applyToTurn } from '../../log/turn/fold-turn.ts';
import { emptyTurn } from '../../log/turn/turn.ts';
import type { FlowEvent, ToolCallId } from '../../protocol/index.ts';

/**
 * Events with late outcomes in the place of unknown ones, for views in which a call has one end.
 *
 * @param events from the first on
 */
export function withResolvedEnds(events: readonly FlowEvent[]): FlowEvent[] {
  const all = emptyTurn();
  const ends = new Map<ToolCallId, CallEnd>();
  for (const event of events) {
    applyToTurn(all, event);
    const call = event.type === 'outcome-resolved' ? all.calls.get(event.toolCallId) : undefined;
    if (call?.end && call.resolved === event) ends.set(call.requested.toolCallId, call.end);
  }
  if (ends.size === 0) return [...events];
  return withEnds(events, ends);
}

function withEnds(events: readonly FlowEvent[], ends: ReadonlyMap<ToolCallId, CallEnd>): FlowEvent[] {
  return events.flatMap((event): FlowEvent[] => {
    if (event.type === 'outcome-resolved') return [];
    if (event.type === 'run-started' && event.kept) {
      return [{ ...event, kept: { ...event.kept, events: withEnds(event.kept.events, ends) } }];
    }
    const end = event.type === 'tool-failed' ? ends.get(event.toolCallId) : undefined;
    return end ? [{ ...end, seq: event.seq, at: event.at }] : [event];
  });
}
