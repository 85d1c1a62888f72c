import type { Clock } from '../index.ts';

/** The machine's time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    // A number where timers never keep a process alive.
    if (typeof timer === 'object') timer.unref();
    return () => clearTimeout(timer);
  },
};
