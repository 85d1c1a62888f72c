import { type CallEnd, isCallEnd } from '../turn/call-end.ts';
import type { Call, Turn } from '../turn/turn.ts';
import type { StagedEvent } from './staged-events.ts';

/** The end of a call that this process ran, and that could not be written. */
export type LostEnd = { readonly call: Call; readonly end: CallEnd };

/**
 * The ends among events that could not be written. Only for calls whose start is durable: the log contains no
 * other call whose outcome could be wrong.
 *
 * @param durable the `seq` up to which the log is durable
 */
export function lostEnds(lost: readonly StagedEvent[], turn: Turn, durable: number): readonly LostEnd[] {
  return lost.flatMap(({ event }) => {
    if (!isCallEnd(event)) return [];
    const call = turn.calls.get(event.toolCallId);
    return call?.started && call.started.seq <= durable ? { call, end: event } : [];
  });
}
