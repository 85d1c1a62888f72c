import { backoff } from '../protocol/clock/backoff.ts';
import { sleep } from '../protocol/clock/sleep.ts';
import type { Clock } from '../protocol/index.ts';

/** How long to wait after so many failed attempts in a row, counted from 1. Milliseconds. */
export function delayAfter(failures: number): number {
  return backoff(failures, 50, 2_000);
}

/** True for a failure after which the same call may succeed: a lock, a failover, a full disk. */
export function isTransient(error: unknown): boolean {
  return transientOf(error) === true;
}

/** True if the store says that the same call will fail again. Unclassified errors may pass. @source ADR 0018 */
export function isRefusal(error: unknown): boolean {
  return transientOf(error) === false;
}

/** Read from the field, because a store may come with its own copy of the package. */
function transientOf(error: unknown): boolean | undefined {
  const transient = error instanceof Error && 'transient' in error ? error.transient : undefined;
  return typeof transient === 'boolean' ? transient : undefined;
}

/** Retries transient failures with backoff. @param mayRetry asked after each failure @throws what the last attempt threw */
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
      await sleep(delayAfter(failures), undefined, clock);
      if (!mayRetry(error)) throw error;
    }
  }
}
