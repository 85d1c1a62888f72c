import type { Clock } from '../index.ts';

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
