import type { CallEnd } from '../../log/turn/call-end.ts';
import { nextTurn } from '../../log/turn/fold-turn.ts';
import { type Call, calls, emptyTurn, isCleared, type Turn } from '../../log/turn/turn.ts';
import type { FlowEvent } from '../../protocol/index.ts';
import { createRedaction } from './redact-events.ts';

/** One event of a turn with what it belongs to. Everything in it is redacted: it may be shown as it is. */
export type TurnItem = {
  readonly event: FlowEvent;
  /** The turn with this event applied. The object is the same for all items of a turn: do not keep or change it. */
  readonly turn: Readonly<Turn>;
  /** The call that the event is about. The object is the same for all items of a call, so it can be a key. */
  readonly call: Call | undefined;
  /** False for events before the place where the response begins: they give context, and no output. */
  readonly isInResponse: boolean;
};

/** Where a response begins: with the event of this `seq`. Default: with the first event. */
export type ReadFrom = { readonly emitFrom?: number };

/**
 * Reads a log turn by turn: redacts each event and applies it to its turn. Feed it the events in order, from the first
 * event of a turn on. A new user message and a cut begin a new turn.
 */
export function createTurnReader({ emitFrom = 0 }: ReadFrom = {}): (event: FlowEvent) => TurnItem {
  const redactEvent = createRedaction();
  let turn = emptyTurn();

  return function readEvent(recorded) {
    const event = redactEvent(recorded);
    turn = nextTurn(turn, event);
    const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
    return { event, turn, call, isInResponse: event.seq >= emitFrom };
  };
}

/** The calls that ran before a cut: the message of the turn after the cut shows them first. */
export function keptCalls(turn: Readonly<Turn>): (Call & { end: CallEnd })[] {
  return calls(turn).filter(
    (call): call is Call & { end: CallEnd } => call.kept === 'shown' && call.end !== undefined,
  );
}

/** The call that a suspended turn waits for the client to execute. */
export function callForClient({ waitsFor }: Readonly<Turn>): Call | undefined {
  if (waitsFor?.requested.executor !== 'client' || waitsFor.end) return undefined;
  return isCleared(waitsFor) ? waitsFor : undefined;
}
