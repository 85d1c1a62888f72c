import { vi } from 'vitest';

/**
 * Replaces the monotonic clock of this process by one that stands still. On Postgres, a lease ends later by the time for which
 * its append waited, so on a busy machine a lease of a test would otherwise outlast the times that the test names.
 */
export function stopMonotonicClock(): { advance(ms: number): void; restore(): void } {
  let now = performance.now();
  const replaced = vi.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    advance(ms) {
      now += ms;
    },
    restore: () => replaced.mockRestore(),
  };
}
