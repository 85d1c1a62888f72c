import type { Clock } from './clock.ts';

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

/** Waits for the work, but no longer than this. The work itself goes on. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  try {
    await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
