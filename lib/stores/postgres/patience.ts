import { withBackoff } from '../backoff.ts';
import { isTransient } from './transient.ts';

/** How long a call is tried again. */
export type Patience = {
  /** Milliseconds from the first attempt on, after which a failure is final. */
  readonly ms: number;
  /** Ends the waiting: the failure is final at once. */
  readonly signal: AbortSignal;
};

/**
 * Tries until it works, or fails for a reason that is not transient, or patience ends.
 *
 * @throws what the last attempt threw
 * @see withBackoff
 */
export function patiently<Result>(
  patience: Patience,
  work: (attempt: number) => Promise<Result>,
): Promise<Result> {
  return withBackoff({ ...patience, firstPauseMs: 25, longestPauseMs: 1_000, mayRetry: isTransient }, work);
}
