'use client';

import { useEffect, useState } from 'react';

const tickMs = 1_000;

/**
 * The time, updated every second while something is ongoing.
 *
 * @param aheadMs how far the server's clock is ahead of this one
 * @param atLeast epoch milliseconds: so that a clock behind the server's shows no negative time
 */
export function useNow(isRunning: boolean, aheadMs: number, atLeast: number): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return Math.max(now + aheadMs, atLeast);
}
