import type { Clock } from '../protocol/index.ts';

/** A clock that stands still until `advance`. */
export type FakeClock = Clock & {
  /** Advances by `ms` milliseconds, and runs the timers that are due on the way in order of time. */
  advance(ms: number): void;
  /**
   * Resolves when a timer of exactly `ms` is running, immediately if there is one. It shows that the code under test
   * is waiting.
   */
  timer(ms: number): Promise<void>;
};

type Timer = { readonly due: number; readonly ms: number; readonly callback: () => void };

/**
 * A clock for tests: time does not pass until `advance`. Instead of sleeping, await `timer(ms)` to know that the code
 * under test waits, then call `advance(ms)`.
 *
 * If a store has its own clock, as Postgres does, the flow uses that one. Then pass this clock to the store too: `{
 * ...store, clock: { now: clock.now, measure: async () => {} } }`.
 *
 * @param start epoch milliseconds
 */
export function fakeClock(start = Date.UTC(2030, 0, 1)): FakeClock {
  let now = start;
  const timers = new Set<Timer>();
  const awaited = new Map<number, PromiseWithResolvers<void>>();

  return {
    now: () => now,

    after(ms, callback) {
      // Clocks return whole milliseconds, also after a timer with a fraction.
      const timer = { due: now + Math.ceil(ms), ms, callback };
      timers.add(timer);
      awaited.get(ms)?.resolve();
      awaited.delete(ms);
      return () => timers.delete(timer);
    },

    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due);
        const [next] = due;
        if (!next) break;
        timers.delete(next);
        now = next.due;
        next.callback();
      }
      now = end;
    },

    timer(ms) {
      if ([...timers].some((timer) => timer.ms === ms)) return Promise.resolve();
      const waiting = awaited.get(ms) ?? Promise.withResolvers<void>();
      awaited.set(ms, waiting);
      return waiting.promise;
    },
  };
}
