import { createTurnText } from '../../dialects/turn-text.ts';
import { waitingText } from '../../dialects/waiting-text.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { TurnItem } from '../../views/reader/read-turn.ts';
import { stepLimitDelta } from '../../views/step-limit.ts';
import type { FrameId } from './frame-id.ts';
import { type PlacedEvent, placedEvents } from './placed-events.ts';
import { isForPeople } from './projection.ts';

/** What is known of a reader's text when it connects. */
export type CurrentTextOptions = {
  /** The last frame that the client has. */
  readonly seen: FrameId | undefined;
  /** The `seq` of text that no longer counts: see `brokenOffText`. */
  readonly brokenOff: ReadonlySet<number>;
  /** Whether the client says that it takes approvals. @source B18 */
  readonly acceptsApprovals: boolean;
};

/**
 * The events of a stream whose text adds up to the text of the turn. A model step that was broken off (its process ended,
 * its model call failed) begins again, and its new text takes the place of the old: a client that has some of the old is
 * sent `reset`, and other clients never get it.
 *
 * @source B17, B19
 */
export function currentText({
  seen,
  brokenOff,
  acceptsApprovals,
}: CurrentTextOptions): Projection<PlacedEvent> {
  const turnText = createTurnText();
  const events = placedEvents(acceptsApprovals);
  /** Whether the client has text of the step that is under way. */
  let hasText = false;

  /** Text that no model wrote: why the turn has ended, and what waits. It stands before `done`. */
  function notice(item: TurnItem): PlacedEvent[] {
    const { event, call } = item;
    const hasTurnText = turnText.text !== '';
    const isQuestion = event.type === 'approval-requested' && call !== undefined && isForPeople(call);
    const text =
      isQuestion && !acceptsApprovals ? waitingText(event, hasTurnText) : stepLimitDelta(item, hasTurnText);
    if (text === undefined) return [];
    return [{ id: firstAt(event.seq), event: { type: 'message_chunk', data: { text } } }];
  }

  return {
    apply(item) {
      const { event, isInResponse } = item;
      const isAgain = turnText.apply(event);
      if (!isInResponse) return [];
      if (event.type === 'step-started') {
        const mustReset = isAgain && hasText;
        hasText = false;
        return mustReset ? [resetAt(event.seq, turnText.text)] : [];
      }
      if (event.type === 'text-delta') {
        const isKnown = seen !== undefined && event.seq <= seen.seq;
        if (brokenOff.has(event.seq) && !isKnown) return [];
        hasText = true;
      }
      const placed = events.apply(item);
      const isLast = placed.at(-1)?.id.isLast === true;
      const said = notice(item);
      return [...(isLast ? said : placed), ...(isLast ? placed : said)].map((each, index) => ({
        ...each,
        id: { ...each.id, index },
      }));
    },
  };
}

function resetAt(seq: number, text: string): PlacedEvent {
  return { id: firstAt(seq), event: { type: 'reset', data: { text } } };
}

function firstAt(seq: number): FrameId {
  return { seq, index: 0, isLast: false };
}
