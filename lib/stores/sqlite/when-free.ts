import { withBackoff } from '../backoff.ts';
import { isLocked } from './transient.ts';

/** How long a lock of another process is waited for, when nobody says otherwise. */
const defaultPatienceMs = 5_000;

/**
 * Runs `work`, and again while another connection holds a lock that it needs, up to `ms`. SQLite's own wait would block
 * the event loop: no timer would fire, no lease would be renewed and no request be read meanwhile.
 *
 * @param work changes nothing when it fails by a lock
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
