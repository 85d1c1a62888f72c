'use client';

import { type TimeLeft, timeLeft } from '../../client/text/time-left.ts';
import { useServerConnection } from '../connection/server-connection.ts';
import { useNow } from '../use-now.ts';

/**
 * Time since a moment, updated every ten seconds.
 *
 * @param moment ISO 8601, by the server's clock
 * @returns `undefined` without a moment, and while rendering on the server
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
  const now = useNow(moment === undefined ? undefined : tickMs);
  return moment === undefined || now === undefined ? undefined : now + aheadMs - Date.parse(moment);
}
