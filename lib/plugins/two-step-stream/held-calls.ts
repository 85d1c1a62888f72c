import type { Call } from '../../log/turn/turn.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { StreamEvent } from './client/schema.ts';
import { announcement, twoStepProjection } from './projection.ts';

/**
 * The stream of a client that did not say that it takes approvals: it would show a box that stays pending. A gated call is announced
 * when it is answered. One that is never answered is announced with its error, if the turn goes on, and otherwise not at all.
 *
 * @source B4, B18
 */
export const withHeldCalls: Projection<StreamEvent> = {
  apply(item) {
    const events = twoStepProjection.apply(item);
    const { event, call, isInResponse } = item;
    if (!isInResponse || call?.requested.gate.type !== 'ask') return events;
    switch (event.type) {
      case 'tool-requested':
        return [];
      case 'approval-answered':
      case 'approval-granted':
        return [announcement(call), ...events];
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        if (call.answered || call.granted) return events;
        return endsWithTurn(call) ? [] : [announcement(call), ...events];
      default:
        return events;
    }
  },
};

/** The call was left behind: a new message came, or the turn was stopped. */
function endsWithTurn({ end }: Call): boolean {
  if (end?.type !== 'tool-denied') return end?.type === 'tool-cancelled';
  return end.withdrawn === 'superseded' || end.withdrawn === 'cancelled';
}
