'use client';

import { useEffect, useRef } from 'react';
import type { CallState } from '../../../client/calls/tool-call.ts';
import { announce } from '../announce.ts';

const ends: ReadonlySet<CallState> = new Set([
  'withheld',
  'done',
  'failed',
  'unknown',
  'denied',
  'withdrawn',
]);

/**
 * Announces once how a call ended, if it was on the page before it did.
 *
 * @param words what the card shows about it
 */
export function useOutcomeAnnouncement(state: CallState, words: string): void {
  const before = useRef(state);
  useEffect(() => {
    const isNew = ends.has(state) && !ends.has(before.current);
    before.current = state;
    if (isNew) announce(words);
  }, [state, words]);
}
