import { type CallEnd, isCallEnd } from '../turn/call-end.ts';
import type { Call, Turn } from '../turn/turn.ts';
import type { StagedEvent } from './staged-events.ts';

/** The end of a call that this process ran, and that could not be written. */
export type LostEnd = { readonly call: Call; readonly end: CallEnd };

/** The ends that could not be written, of calls whose start is durable. @param durable the last durable `seq` */
export function lostEnds(lost: readonly StagedEvent[], turn: Turn, durable: number): readonly LostEnd[] {
  return lost.flatMap(({ event }) => {
    if (!isCallEnd(event)) return [];
    const call = turn.calls.get(event.toolCallId);
    return call?.started && call.started.seq <= durable ? { call, end: event } : [];
  });
}
