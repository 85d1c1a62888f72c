import type { EventOf, FlowEvent } from '../protocol/index.ts';
import { kernelEvents } from './events/event-table.ts';

/** Events that subscriptions report, and that cannot be derived from a question as it is now. */
export type NoticeEvent = EventOf<
  'run-completed' | 'run-failed' | 'run-cancelled' | 'tool-failed' | 'plugin-event'
>;

/** True for these, for the end of a turn, and for a call whose outcome is unknown. @source ADR 0043 */
export function isNotice(event: FlowEvent): event is NoticeEvent {
  return kernelEvents.get(event.type)?.isNotice?.(event) ?? false;
}

/** The `seq` of the events of a batch that are notices, for `Append.notices`. */
export function noticesIn(events: readonly FlowEvent[]): readonly number[] {
  return events.filter(isNotice).map(({ seq }) => seq);
}
