import { vi } from 'vitest';

/** Calls `check` until it no longer throws, and returns its result. Fails after eight seconds: a busy machine is slow. */
export function waitFor<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 8_000, interval: 5 });
}
