import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** Work that goes on by itself: callbacks of `setImmediate`, and access to files. */
const pending = /^(Immediate|FSReq)/;

/** The wait in progress. It is shared: two of them would take each other for work. */
let waiting: Promise<void> | undefined;

/**
 * Resolves when this process has nothing left to run: no promise is about to continue, and no callback of `setImmediate` and
 * no access to a file is pending. Then nothing else happens until a timer, a connection, a thread or another process causes
 * it. For those, a test awaits their own events.
 */
export function untilIdle(): Promise<void> {
  waiting ??= idle().finally(() => {
    waiting = undefined;
  });
  return waiting;
}

async function idle(): Promise<void> {
  do await turnOfEventLoop();
  while (process.getActiveResourcesInfo().some((kind) => pending.test(kind)));
}
