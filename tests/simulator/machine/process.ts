import type { Clock } from '../../../lib/protocol/index.ts';
import type { Owner, World } from './world.ts';

/**
 * One process of a simulated machine: its clock, and the places where it waits for the world outside. Everything that
 * comes in from there goes through `gate` or a timer, so a frozen process does nothing, and a dead one nothing any more.
 */
export function createSimProcess(world: World, name: string, skewMs: number) {
  let state: Owner['state'] = 'alive';
  let held: (() => void)[] = [];
  let thawed = Promise.withResolvers<void>();
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const { promise: never } = Promise.withResolvers<never>();
  const owner: Owner = {
    get state() {
      return state;
    },
    hold: (callback) => void held.push(callback),
  };

  const after = (ms: number, run: () => void) => world.after(ms, run, owner);

  /** Passes as soon as the process runs. */
  async function gate(): Promise<void> {
    while (state !== 'alive') await (state === 'dead' ? never : thawed.promise);
  }

  const clock: Clock = { now: () => world.now() + skewMs, monotonic: () => world.elapsed(), after };

  return {
    name,
    clock,
    skewMs,
    after,
    gate,
    /** Resolves when it dies. */
    died,
    get state() {
      return state;
    },
    sleep: (ms: number) => new Promise<void>((resolve) => void after(ms, resolve)),
    freeze(): void {
      if (state === 'alive') state = 'frozen';
    },
    thaw(): void {
      if (state !== 'frozen') return;
      state = 'alive';
      const due = held;
      held = [];
      thawed.resolve();
      thawed = Promise.withResolvers();
      // Each in a turn of its own, as an event loop does that comes back to work.
      for (const callback of due) after(0, callback);
    },
    kill(): void {
      state = 'dead';
      held = [];
      die();
    },
  };
}

/** @see createSimProcess */
export type SimProcess = ReturnType<typeof createSimProcess>;
