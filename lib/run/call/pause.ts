import type { Clock } from '../../protocol/index.ts';

/** Waits by the clock; ends early, and without an error, when the signal is aborted. `ms`: milliseconds. */
export function pause(clock: Clock, ms: number, abortSignal: AbortSignal): Promise<void> {
  if (abortSignal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  const onAbort = () => resolve();
  abortSignal.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    cancel();
    abortSignal.removeEventListener('abort', onAbort);
  });
}
