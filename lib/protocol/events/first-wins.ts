import type { ChatEventBody, EventBody } from '../events.ts';

/**
 * The unique key that an event claims. At most one event of a chat may claim a key, so the first answer wins
 * and a call runs at most once, even with concurrent writers.
 *
 * @source H10, ADR 0019
 */
export function claimOf(event: EventBody | ChatEventBody): string | undefined {
  switch (event.type) {
    case 'approval-answered':
    case 'approval-withdrawn':
    case 'approval-granted':
      return `settled:${event.approvalId}`;
    case 'approval-escalated':
      return `escalated:${event.approvalId}:${event.step}`;
    case 'approval-reminded':
      return `reminded:${event.approvalId}:${event.number}`;
    case 'approval-voted':
      return `voted:${event.approvalId}:${event.by.id}`;
    case 'tool-started':
      return `started:${event.toolCallId}`;
    case 'tool-completed':
    case 'tool-failed':
    case 'tool-denied':
    case 'tool-cancelled':
      return `ended:${event.toolCallId}`;
    case 'outcome-resolved':
      // A report by the process that ran the call overrides what others concluded in the meantime.
      return event.source === 'late' ? `reported:${event.toolCallId}` : `resolved:${event.toolCallId}`;
    default:
      return undefined;
  }
}
