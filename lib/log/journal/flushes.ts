import type { Clock } from '../../protocol/index.ts';

/** How long text is collected before it is made durable. */
const flushAfterMs = 20;

export function createFlushes(write: () => Promise<void>, clock: Clock) {
  let cancelTimer: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    next = undefined;
    cancelTimer?.();
    cancelTimer = undefined;
    return write();
  }

  function flush(): Promise<void> {
    // All callers during a write share the next one.
    next ??= writing.then(begin, begin);
    writing = next;
    return next;
  }

  return {
    flush,
    /** Flushes within milliseconds. An error of that flush is thrown by the next one. */
    flushSoon(): void {
      cancelTimer ??= clock.after(flushAfterMs, () => void flush().catch(() => {}));
    },
  };
}
