import type { EventOf, FlowEvent } from '../protocol/index.ts';
import { isUnknown } from './turn/status-fields.ts';

/** Events that subscriptions report, other than those of questions. */
export type NoticeEvent = EventOf<'run-completed' | 'run-failed' | 'run-cancelled' | 'tool-failed'>;

/** True for the end of a turn, and for a call whose outcome is unknown. @source ADR 0043 */
export function isNotice(event: FlowEvent): event is NoticeEvent {
  switch (event.type) {
    case 'run-completed':
    case 'run-failed':
    case 'run-cancelled':
      return true;
    case 'tool-failed':
      return isUnknown(event);
    default:
      return false;
  }
}

/** The `seq` of the events of a batch that are notices, for `Append.notices`. */
export function noticesIn(events: readonly FlowEvent[]): { readonly notices?: readonly number[] } {
  const notices = events.filter(isNotice).map(({ seq }) => seq);
  return notices.length > 0 ? { notices } : {};
}
