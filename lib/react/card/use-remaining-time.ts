'use client';

import { useEffect, useState } from 'react';
import type { TimeLeft } from '../words/card-words.ts';

/**
 * Time left until a deadline, renewed each second.
 *
 * @param deadline ISO 8601
 * @returns `undefined` without a deadline, and before the page has a clock: a server cannot know this person's now
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

/** A rest of time in whole units; zero when it is over. @param milliseconds may be negative */
export function timeLeft(milliseconds: number): TimeLeft {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return {
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor((seconds % 3600) / 60),
    seconds: seconds % 60,
  };
}
