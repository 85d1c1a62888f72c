import type { Clock } from '../../../lib/protocol/index.ts';
import type { Owner, World } from './world.ts';

/**
 * One process of a simulated machine: its clock, and its connections to the outside. Everything from outside passes
 * through `gate` or a timer, so a frozen process does nothing for now, and a dead one nothing any more.
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

  /** Resolves when the process is running. */
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
      // Each callback in its own turn, like an event loop that resumes.
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
