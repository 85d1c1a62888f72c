'use client';

import { useEffect, useState } from 'react';

/** Time left until a deadline (ISO 8601), in words, renewed each second; `undefined` without a deadline. */
export function useRemainingTime(deadline: string | undefined): string | undefined {
  const [now, setNow] = useState<number>();

  useEffect(() => {
    if (deadline === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [deadline]);

  return deadline === undefined || now === undefined ? undefined : remainingTime(Date.parse(deadline) - now);
}

/** Words for a rest of time in milliseconds. */
export function remainingTime(milliseconds: number): string {
  if (milliseconds <= 0) return 'Expired';
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds >= 3600)
    return `Expires in ${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  if (seconds >= 60) return `Expires in ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `Expires in ${seconds} s`;
}
