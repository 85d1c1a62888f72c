'use client';

import { useEffect, useState } from 'react';

/**
 * The time, updated while something shows it.
 *
 * @param everyMs milliseconds between updates; `undefined`: nothing shows it
 * @param first the time until then, on pages that are not rendered on the server
 * @returns epoch milliseconds; `undefined` until it was updated once, as on the server, where the browser's clock is unknown
 */
export function useNow(everyMs: number | undefined, first?: (() => number) | undefined): number | undefined {
  const [now, setNow] = useState<number | undefined>(first);
  useEffect(() => {
    if (everyMs === undefined) return;
    if (first === undefined) setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, first]);
  return now;
}
