import type { Clock } from './clock.ts';

/** Timers that keep a process alive. */
const timers: Pick<Clock, 'after'> = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits for so many milliseconds, or until the signal is aborted. Never rejects. */
export function sleep(ms: number, signal?: AbortSignal, clock = timers): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end);
    function end() {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    }
  });
}
