'use client';

import { useEffect, useReducer, useRef } from 'react';
import { wires } from './_wires/index.ts';
import type { WireClient } from './_wires/wire.ts';
import { emptyWireState, reduceWire, type WireAction, type WireState } from './_wires/wire-state.ts';

type States = readonly WireState[];
type Action = { readonly index: number; readonly action: WireAction };

function reduce(states: States, { index, action }: Action): States {
  return states.map((state, at) => (at === index ? reduceWire(state, action) : state));
}

/**
 * One chat over each wire, and what is known of it.
 *
 * @param onTurn called after each turn, and each time that one asks
 */
export function useWires(onTurn: () => void) {
  const [states, dispatch] = useReducer(
    reduce,
    wires.map(() => emptyWireState),
  );
  const clients = useRef<readonly WireClient[]>([]);

  useEffect(() => {
    clients.current = wires.map(({ connect }, index) =>
      connect({
        onFrame: (frame) => dispatch({ index, action: { type: 'frame', frame } }),
        onView: (view) => dispatch({ index, action: { type: 'view', view } }),
      }),
    );
    return () => {
      for (const client of clients.current) client.close();
    };
  }, []);

  async function follow(index: number, turn: Promise<void>, answered?: string): Promise<void> {
    dispatch({ index, action: { type: 'sent', answered } });
    try {
      await turn;
      dispatch({ index, action: { type: 'ended' } });
    } catch (error) {
      // Superseded by the next request.
      const isAborted = error instanceof DOMException && error.name === 'AbortError';
      const failure = error instanceof Error ? error.message : String(error);
      dispatch({ index, action: isAborted ? { type: 'ended' } : { type: 'failed', failure } });
    }
    onTurn();
  }

  return {
    states,
    /** Sends a message over each wire. */
    send(text: string): void {
      for (const [index, client] of clients.current.entries()) void follow(index, client.send(text));
    },
    /** Answers the open question of one wire. */
    answer(index: number, approvalId: string, approved: boolean): void {
      const client = clients.current[index];
      if (client) void follow(index, client.answer(approvalId, approved), approvalId);
    },
  };
}
