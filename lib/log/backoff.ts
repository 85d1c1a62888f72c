import type { Clock } from '../protocol/index.ts';

/**
 * The pauses between attempts, in milliseconds: each twice as long as the previous one, up to the longest.
 */
const firstPauseMs = 50;
const longestPauseMs = 2_000;

/** How long to pause after so many failed attempts in a row, counted from 1. Milliseconds. */
export function pauseAfter(failures: number): number {
  return Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 30), longestPauseMs);
}

/** True for a failure after which the same call may succeed: a lock, a failover, a full disk. */
export function isTransient(error: unknown): boolean {
  return transientOf(error) === true;
}

/**
 * True if the store says that the same call will fail again. What it did not classify may pass: a wrapper around it, for tracing or
 * retries, can throw anything.
 *
 * @source ADR 0018
 */
export function isRefusal(error: unknown): boolean {
  return transientOf(error) === false;
}

/** Read from the field, because a store may come with its own copy of the package. */
function transientOf(error: unknown): boolean | undefined {
  const transient = error instanceof Error && 'transient' in error ? error.transient : undefined;
  return typeof transient === 'boolean' ? transient : undefined;
}

/**
 * Retries work with backoff while it fails with transient errors.
 *
 * @param mayRetry asked after each failure; false makes the failure final
 * @throws what the last attempt threw
 */
export async function withBackoff<Result>(
  clock: Clock,
  work: () => Promise<Result>,
  mayRetry: (error: unknown) => boolean,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayRetry(error)) throw error;
      const { promise, resolve } = Promise.withResolvers<void>();
      clock.after(pauseAfter(failures), resolve);
      await promise;
      if (!mayRetry(error)) throw error;
    }
  }
}
