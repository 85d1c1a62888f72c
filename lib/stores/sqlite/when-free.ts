import { withBackoff } from '../backoff.ts';
import { isLocked } from './transient.ts';

/** The default time to wait for a lock of another process. */
const defaultPatienceMs = 5_000;

/**
 * Runs `work`, and retries while another connection holds a lock that it needs, for up to `ms`. SQLite's own wait
 * would block the event loop: no timer would fire, no lease would be renewed and no request would be read.
 *
 * @param work changes nothing if it fails because of a lock
 * @throws what the last attempt threw
 * @source ADR 0005.6
 */
export async function whenFree<Result>(work: () => Result, ms = defaultPatienceMs): Promise<Result> {
  try {
    return work();
  } catch (error) {
    if (!isLocked(error) || ms === 0) throw error;
    return withBackoff({ ms, firstPauseMs: 1, longestPauseMs: 50, mayRetry: isLocked }, work);
  }
}
