import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Stops `performance.now` during each test of this suite. A store adds the time that an append waited to its lease, so a test of
 * the millisecond in which a lease ends would fail on a busy machine.
 */
export function stopStopwatch(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
