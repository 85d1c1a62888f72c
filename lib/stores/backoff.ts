import { backoff } from '../protocol/clock/backoff.ts';
import { sleep } from '../protocol/clock/sleep.ts';

/** The real timer, even if a simulation replaces the global one. */
const { setTimeout: begin, clearTimeout: end } = globalThis;
const realTime = {
  after(ms: number, callback: () => void) {
    const timer = begin(callback, ms);
    return () => end(timer);
  },
};

export type Backoff = {
  /** Milliseconds from the first attempt, after which a failure is final. */
  readonly ms: number;
  /** Doubles with each attempt, up to `longestDelayMs`. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Ends the retries: the current failure is final. */
  readonly signal?: AbortSignal;
  readonly mayRetry: (error: unknown) => boolean;
};

/**
 * Retries work until it succeeds, fails for a reason that a later attempt cannot change, or the time is up. The first
 * attempt starts within this call. Uses real time, because locks and networks do not follow a test's clock.
 *
 * @param work receives the number of the attempt, from 1. An earlier attempt may have taken effect although it failed.
 * @throws what the last attempt threw
 */
export async function withBackoff<Result>(
  { ms, firstDelayMs, longestDelayMs, signal, mayRetry }: Backoff,
  work: (attempt: number) => Result | Promise<Result>,
): Promise<Result> {
  const giveUpAt = performance.now() + ms;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const delayMs = backoff(attempt, firstDelayMs, longestDelayMs);
      if (!mayRetry(error) || performance.now() + delayMs > giveUpAt) throw error;
      await sleepInRealTime(delayMs, signal);
      if (signal?.aborted) throw error;
    }
  }
}

/** Waits for `ms`, or until the signal aborts. */
export function sleepInRealTime(ms: number, signal?: AbortSignal): Promise<void> {
  return sleep(ms, signal, realTime);
}
