import { setTimeout as wait } from 'node:timers/promises';

/** How long, how often and after which failures work is tried again. */
export type Backoff = {
  /** Milliseconds from the first attempt on, after which a failure is final. */
  readonly ms: number;
  /** Doubles with each attempt, up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Ends the waiting: the failure is final at once. */
  readonly signal?: AbortSignal;
  readonly mayRetry: (error: unknown) => boolean;
};

/**
 * Tries until it works, or fails for a reason that a later attempt cannot change, or the time is over. The first attempt
 * begins within this call. Real time: locks and networks do not follow a test's clock.
 *
 * @param work gets the number of the attempt, from 1: an earlier one may have done its work although it failed
 * @throws what the last attempt threw
 */
export async function withBackoff<Result>(
  { ms, firstPauseMs, longestPauseMs, signal, mayRetry }: Backoff,
  work: (attempt: number) => Result | Promise<Result>,
): Promise<Result> {
  const giveUpAt = performance.now() + ms;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
      if (!mayRetry(error) || performance.now() + pauseMs > giveUpAt) throw error;
      await pause(pauseMs, signal);
      if (signal?.aborted) throw error;
    }
  }
}

/** Waits, at most until the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
