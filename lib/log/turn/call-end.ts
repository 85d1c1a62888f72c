import type { EventBody, EventOf, FlowEvent } from '../../protocol/index.ts';

/** How a call ended. */
export type CallEnd = EventOf<'tool-completed' | 'tool-failed' | 'tool-denied' | 'tool-cancelled'>;

export function isCallEnd(event: FlowEvent): event is CallEnd {
  return (
    event.type === 'tool-completed' ||
    event.type === 'tool-failed' ||
    event.type === 'tool-denied' ||
    event.type === 'tool-cancelled'
  );
}

/** Begins the error of an unknown outcome, for models. The status is a field, `outcome`. @source ADR 0022 */
export const unknownOutcomePrefix = 'outcome-unknown:';

export function isUnknown(event: FlowEvent | EventBody): boolean {
  return event.type === 'tool-failed' && event.outcome === 'unknown';
}

/** What is known of a failure, in a sentence for people: without what marks it for models. */
export function problemOf({ error, outcome }: Pick<EventOf<'tool-failed'>, 'error' | 'outcome'>): string {
  return outcome === 'unknown' && error.startsWith(unknownOutcomePrefix)
    ? error.slice(unknownOutcomePrefix.length).trim()
    : error;
}
