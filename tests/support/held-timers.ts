import { onTestFinished, vi } from 'vitest';

/**
 * Holds timers of exactly this length, in milliseconds, until the returned function is called. All others run as usual. A file
 * that calls this needs a process of its own.
 */
export function heldTimers(ms: number): () => void {
  const held: (() => void)[] = [];
  const start = globalThis.setTimeout;
  const replaced = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: (...given: unknown[]) => void,
    after?: number,
    ...given: unknown[]
  ) => {
    if (after !== ms) return start(callback, after, ...given);
    held.push(() => callback(...given));
    return start(() => {}, 0);
  }) as never);
  onTestFinished(() => replaced.mockRestore());
  return () => {
    for (const end of held.splice(0)) end();
  };
}
