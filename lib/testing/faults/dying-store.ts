import type { FlowStore } from '../../log/store-port.ts';
import { type KillPoint, killWatch } from './kill-point.ts';

/** A store, and what became of the process that used it. */
export type DyingStore = {
  readonly store: FlowStore;
  /** Resolves at the moment of death. */
  readonly died: Promise<void>;
  /** How many appends were tried so far. */
  appends(): number;
};

/**
 * A store as a process sees it that is killed at a kill point: from then on nothing is written and no call comes
 * back. The store itself lives on, for another flow in the same process to take over.
 *
 * @param point without one, it lives
 */
export function dyingStore(store: FlowStore, point?: KillPoint): DyingStore {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const { promise: never } = Promise.withResolvers<never>();
  const isNow = point ? killWatch(point) : () => false;
  let appends = 0;
  let dead = false;

  const alive =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      const result = dead ? await never : await call(...given);
      return dead ? never : result;
    };

  const dying: FlowStore = {
    ...store,
    read: alive(store.read),
    head: alive(store.head),
    question: alive(store.question),
    claimLease: alive(store.claimLease),
    requestStop: alive(store.requestStop),
    stopRequested: alive(store.stopRequested),
    recentCalls: alive(store.recentCalls),
    restingHeads: alive(store.restingHeads),
    erase: alive(store.erase),
    dropRecords: alive(store.dropRecords),
    announce: alive(store.announce),
    retire: alive(store.retire),
    append: alive(async (batch) => {
      appends += 1;
      if (!isNow(batch)) return store.append(batch);
      dead = true;
      if (point?.when === 'after') await store.append(batch);
      die();
      return never;
    }),
  };
  return { store: dying, died, appends: () => appends };
}
