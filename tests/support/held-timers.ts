import { onTestFinished, vi } from 'vitest';

/**
 * Holds timers of exactly this length, in milliseconds, until the returned function is called. From then on, they end
 * immediately. All others run as usual. A file that calls this needs a process of its own.
 */
export function heldTimers(ms: number): () => void {
  let held: (() => void)[] | undefined = [];
  const start = globalThis.setTimeout;
  const replaced = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: (...given: unknown[]) => void,
    after?: number,
    ...given: unknown[]
  ) => {
    if (after !== ms) return start(callback, after, ...given);
    if (held === undefined) return start(callback, 0, ...given);
    held.push(() => callback(...given));
    return start(() => {}, 0);
  }) as never);
  onTestFinished(() => replaced.mockRestore());
  return () => {
    const due = held ?? [];
    held = undefined;
    for (const end of due) end();
  };
}
