import { steadyTime } from '../../protocol/clock/steady-time.ts';
import type { Clock } from '../../protocol/index.ts';

/**
 * The time limit of one attempt. Paused at first, and while the call asks a person.
 *
 * @param limitMs none if `undefined`
 * @param onLimit called once, after the signal was aborted
 */
export function createTimeLimit(clock: Clock, limitMs: number | undefined, onLimit: () => void) {
  const limit = new AbortController();
  let leftMs = limitMs ?? 0;
  let pauses = 1;
  let since = 0;
  let cancel = () => {};

  function reach(): void {
    limit.abort(new DOMException(`The call took longer than ${limitMs} ms.`, 'TimeoutError'));
    onLimit();
  }

  return {
    signal: limit.signal,

    /** Continues to measure, when each pause has been followed by a call. */
    resume(): void {
      pauses -= 1;
      if (limitMs === undefined || pauses > 0) return;
      since = steadyTime(clock);
      cancel = clock.after(leftMs, reach);
    },

    pause(): void {
      pauses += 1;
      if (pauses > 1) return;
      cancel();
      leftMs -= steadyTime(clock) - since;
    },
  };
}
