import type { EventOf } from '../../protocol/index.ts';

/** How a call ended. */
export type CallEnd = EventOf<'tool-completed' | 'tool-failed' | 'tool-denied' | 'tool-cancelled'>;

/**
 * Begins the error of an unknown outcome, for models and for clients of the older version. Status is a field
 * (`outcome`); where the event has it, no code of ours reads this.
 */
export const unknownOutcomePrefix = 'outcome-unknown:';

/**
 * The end of a call with its status as fields. Events of the older version have none, so only for those, it
 * is derived from what that version wrote: the prefix of an unknown outcome, and the withdrawal before a
 * denial. A tool whose error began with that prefix cannot be distinguished there.
 *
 * @source ADR 0022
 */
export function withStatus<End extends CallEnd>(end: End, withdrawn?: EventOf<'approval-withdrawn'>): End {
  if (end.type === 'tool-failed' && end.outcome === undefined) {
    return { ...end, outcome: isUnknown(end) ? 'unknown' : 'failed' };
  }
  if (end.type === 'tool-denied' && end.withdrawn === undefined && withdrawn) {
    return { ...end, withdrawn: withdrawn.reason };
  }
  return end;
}

/** True if the outcome was unknown when the call ended. Older events have a prefix instead of the field. */
export function isUnknown(
  end: Pick<CallEnd, 'type'> & { readonly outcome?: string; readonly error?: string },
): boolean {
  if (end.type !== 'tool-failed') return false;
  if (end.outcome !== undefined) return end.outcome === 'unknown';
  return (end.error ?? '').startsWith(unknownOutcomePrefix);
}

/** What is known of a failure, in a sentence for people: without what marks it for others. */
export function problemOf({ error, outcome }: Pick<EventOf<'tool-failed'>, 'error' | 'outcome'>): string {
  return outcome === 'unknown' && error.startsWith(unknownOutcomePrefix)
    ? error.slice(unknownOutcomePrefix.length).trim()
    : error;
}
