'use client';

import { useEffect, useState } from 'react';
import { type TimeLeft, timeLeft } from '../../client/text/time-left.ts';
import { useServerConnection } from '../connection/server-connection.ts';

/**
 * Time since a moment, updated every ten seconds.
 *
 * @param moment ISO 8601, by the server's clock
 * @returns `undefined` without a moment, and while rendering on the server, where the browser's clock is
 *   unknown
 */
export function useElapsedTime(moment: string | undefined): TimeLeft | undefined {
  const passed = useTimeSince(moment, 10_000);
  return passed === undefined ? undefined : timeLeft(passed);
}

/** Time left until a deadline, updated every second. Otherwise like `useElapsedTime`. */
export function useRemainingTime(deadline: string | undefined): TimeLeft | undefined {
  const passed = useTimeSince(deadline, 1_000);
  return passed === undefined ? undefined : timeLeft(-passed);
}

/** In milliseconds; negative before the moment. */
function useTimeSince(moment: string | undefined, tickMs: number): number | undefined {
  const { aheadMs = 0 } = useServerConnection();
  const [now, setNow] = useState<number>();

  useEffect(() => {
    if (moment === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [moment, tickMs]);

  return moment === undefined || now === undefined ? undefined : now + aheadMs - Date.parse(moment);
}
