import type { EventBody, FlowEvent, RunId } from '../../protocol/index.ts';
import { kernelEvents } from '../events/event-table.ts';
import { type Call, emptyTurn, type Turn } from './turn.ts';

/** Folds a turn from its events. Linear. */
export function foldTurn(events: Iterable<FlowEvent>): Turn {
  let turn = emptyTurn();
  for (const event of events) turn = nextTurn(turn, event);
  return turn;
}

/** The turn after an event: a new one if the event begins it, otherwise the given one with the event applied in place. */
export function nextTurn(turn: Turn, event: FlowEvent): Turn {
  if (kernelEvents.get(event.type)?.beginsTurn) return emptyTurn();
  applyToTurn(turn, event);
  return turn;
}

/** Applies one event in place. One that begins a turn, or is unknown here, changes nothing. */
export function applyToTurn(turn: Turn, event: FlowEvent): void {
  kernelEvents.get(event.type)?.fold(turn, event, kernelEvents);
}

/** A turn that can be changed without changing this one. Its events are shared. */
export function copyTurn(turn: Turn): Turn {
  return {
    ...turn,
    steps: turn.steps.map((step) => ({ ...step, partial: step.partial.map((block) => ({ ...block })) })),
    calls: new Map([...turn.calls].map(([id, call]) => [id, { ...call }])),
  };
}

/** The turn as it will be after these events. The given one stays as it is. */
export function turnWith(turn: Turn, events: readonly EventBody[]): Turn {
  const draft = copyTurn(turn);
  for (const event of events) applyToTurn(draft, { ...event, seq: 0, at: 0, runId: '' as RunId });
  return draft;
}

/** A call as it will be after an event that belongs to the chat. The given one stays as it is. */
export function callWith(call: Call, event: FlowEvent): Call {
  const draft = { ...call };
  applyToTurn({ ...emptyTurn(), calls: new Map([[call.requested.toolCallId, draft]]) }, event);
  return draft;
}
