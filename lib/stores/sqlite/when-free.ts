import { withBackoff } from '../backoff.ts';
import { isLocked } from './transient.ts';

/** The default time to wait for a lock of another process. */
const defaultWaitMs = 5_000;

/**
 * Runs `work`, and retries while another connection holds a lock that it needs, for up to `ms`. SQLite's own wait
 * would block the event loop: no timer would fire, no lease would be renewed and no request would be read.
 *
 * @param work changes nothing if it fails because of a lock
 * @throws what the last attempt threw
 * @source ADR 0005.6
 */
export async function whenFree<Result>(work: () => Result, ms = defaultWaitMs): Promise<Result> {
  try {
    return work();
  } catch (error) {
    if (!isLocked(error) || ms === 0) throw error;
    return withBackoff({ ms, firstDelayMs: 1, longestDelayMs: 50, mayRetry: isLocked }, work);
  }
}
