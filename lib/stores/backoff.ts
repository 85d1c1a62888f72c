/** The real timer, even if a simulation replaces the global one. */
const { setTimeout: wait, clearTimeout: endWait } = globalThis;

/** How long and how often work is retried, and after which failures. */
export type Backoff = {
  /** Milliseconds from the first attempt, after which a failure is final. */
  readonly ms: number;
  /** Doubles with each attempt, up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
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

/** Waits for `ms`, or until the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = wait(end, ms);
  signal?.addEventListener('abort', end);
  await promise;
  signal?.removeEventListener('abort', end);
  endWait(timer);
}
