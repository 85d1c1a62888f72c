import { steadyTime } from '../../protocol/clock/clock.ts';
import type { Clock } from '../../protocol/index.ts';

/** The time limit of one attempt, frozen at first and while the call asks. @param onLimit called once, after the abort */
export function createTimeLimit(clock: Clock, limitMs: number, onLimit: () => void) {
  const limit = new AbortController();
  let leftMs = limitMs;
  let freezes = 1;
  let since = 0;
  let cancel = () => {};

  function reach(): void {
    limit.abort(new DOMException(`The call took longer than ${limitMs} ms.`, 'TimeoutError'));
    onLimit();
  }

  return {
    signal: limit.signal,

    /** Continues to measure, when each freeze has been followed by a call. */
    resume(): void {
      freezes -= 1;
      if (freezes > 0) return;
      since = steadyTime(clock);
      cancel = clock.after(leftMs, reach);
    },

    freeze(): void {
      freezes += 1;
      if (freezes > 1) return;
      cancel();
      leftMs -= steadyTime(clock) - since;
    },
  };
}
