import { withBackoff } from '../../backoff.ts';
import { isTransient } from './transient.ts';

export type RetryLimit = {
  /** Milliseconds from the first attempt, after which a failure is final. */
  readonly ms: number;
  /** Ends the retries: the current failure is final. */
  readonly signal: AbortSignal;
};

/** Retries transient failures up to the limit. @throws what the last attempt threw @see withBackoff */
export function withRetry<Result>(
  retryLimit: RetryLimit,
  work: (attempt: number) => Promise<Result>,
): Promise<Result> {
  return withBackoff({ ...retryLimit, firstDelayMs: 25, longestDelayMs: 1_000, mayRetry: isTransient }, work);
}
