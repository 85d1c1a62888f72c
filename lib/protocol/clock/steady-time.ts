import type { Clock } from '../index.ts';

/** Milliseconds to measure how long something takes: the time of day can go back by an hour. @source ADR 0019 */
export function steadyTime(clock: Pick<Clock, 'now' | 'monotonic'>): number {
  return clock.monotonic?.() ?? clock.now();
}
