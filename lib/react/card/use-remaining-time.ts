'use client';

import { useEffect, useState } from 'react';
import { type TimeLeft, timeLeft } from '../../client/time-left.ts';

/**
 * Time left until a deadline, updated every second.
 *
 * @param deadline ISO 8601
 * @returns `undefined` without a deadline, and while rendering on the server, which does not know the browser's clock
 */
export function useRemainingTime(deadline: string | undefined): TimeLeft | undefined {
  const [now, setNow] = useState<number>();

  useEffect(() => {
    if (deadline === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [deadline]);

  return deadline === undefined || now === undefined ? undefined : timeLeft(Date.parse(deadline) - now);
}
