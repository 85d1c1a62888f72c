import type { Call } from '../log/turn/turn.ts';
import type { EventOf } from '../protocol/index.ts';

/** Why a call has no result, for people; `undefined` while it runs and when it has completed. */
export function failureText({ end }: Pick<Call, 'end'>): string | undefined {
  switch (end?.type) {
    case 'tool-failed':
      return end.error;
    case 'tool-denied':
      if (end.withdrawn) return `The call was not run: ${denialText(end)}.`;
      return `The call was ${denialText(end)}${end.reason ? '' : '.'}`;
    case 'tool-cancelled':
      return end.reason;
    default:
      return undefined;
  }
}

/** Why a call was not approved, as a part of a sentence: `denied: too expensive`. */
export function denialText({
  reason,
  withdrawn,
}: Pick<EventOf<'tool-denied'>, 'reason' | 'withdrawn'>): string {
  if (withdrawn) return `its question was withdrawn (${withdrawn})`;
  return reason ? `denied: ${reason}` : 'denied';
}
