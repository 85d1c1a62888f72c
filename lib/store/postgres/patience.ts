import { setTimeout as wait } from 'node:timers/promises';
import { isTransient } from './transient.ts';

/** How long a call is tried again. */
export type Patience = {
  /** Milliseconds from the first attempt on, after which a failure is final. */
  readonly ms: number;
  /** Ends the waiting: the failure is final at once. */
  readonly signal: AbortSignal;
};

const firstPauseMs = 25;
const longestPauseMs = 1_000;

/**
 * Tries until it works, or fails for a reason that trying again does not mend, or patience ends. Real time: a
 * network does not follow a test's clock.
 *
 * @param work is told which attempt it is, from 1: an earlier one may have done its work unheard
 * @throws what the last attempt threw
 */
export async function patiently<Result>(
  { ms, signal }: Patience,
  work: (attempt: number) => Promise<Result>,
): Promise<Result> {
  const giveUpAt = performance.now() + ms;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
      if (!isTransient(error) || performance.now() + pauseMs > giveUpAt) throw error;
      await pause(pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Waits, at most until the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
