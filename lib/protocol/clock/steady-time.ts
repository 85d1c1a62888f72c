import type { Clock } from '../index.ts';

/**
 * Milliseconds on a clock that is never adjusted, if there is one: to measure how long something takes. The time of day can go back by an
 * hour, and a wait that was measured by it would take that hour.
 *
 * @source ADR 0019
 */
export function steadyTime(clock: Pick<Clock, 'now' | 'monotonic'>): number {
  return clock.monotonic?.() ?? clock.now();
}
