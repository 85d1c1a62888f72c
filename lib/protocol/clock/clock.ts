/** The source of time. Tests replace it to control time. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Milliseconds from a fixed starting point, on a clock that is never adjusted. Leases use it (ADR 0019).
   * Default: `now`.
   */
  monotonic?(): number;
  /**
   * Calls `callback` once after `ms`. Returns a function that cancels the timer. The timer must not keep the
   * process alive.
   */
  after(ms: number, callback: () => void): () => void;
};

/** Milliseconds to measure how long something takes: the time of day can go back by an hour. @source ADR 0019 */
export function steadyTime(clock: Pick<Clock, 'now' | 'monotonic'>): number {
  return clock.monotonic?.() ?? clock.now();
}
