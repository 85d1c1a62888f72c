import type { Clock } from '../protocol/index.ts';

/** A clock that stands still until it is told to go on. */
export type FakeClock = Clock & {
  /** Goes on by `ms` milliseconds; calls back, in order of time, whatever falls due on the way. */
  advance(ms: number): void;
  /** Resolves as soon as a timer of exactly `ms` runs: at once when one does. It says that somebody waits. */
  timer(ms: number): Promise<void>;
};

type Timer = { readonly due: number; readonly ms: number; readonly callback: () => void };

/**
 * Time for tests: nothing happens until `advance`. Instead of sleeping, await `timer(ms)` to know that the code
 * under test has begun to wait, then `advance(ms)`.
 *
 * A flow goes by the clock of its store where that has one, as Postgres does. Then give the store this one too:
 * `{ ...store, clock: { now: clock.now, measure: async () => {} } }`.
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
      // Clocks give whole milliseconds, and so does this one after a timer of a fraction.
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
