import type { FlowStore } from '../../log/store/index.ts';
import { type KillPoint, killWatch } from './kill-point.ts';

/** A store, and the state of the process that uses it. */
export type DyingStore = {
  readonly store: FlowStore;
  /** Resolves when the process dies. */
  readonly died: Promise<void>;
  /** The number of appends attempted so far. */
  appends(): number;
};

/**
 * Simulates a process that is killed at a kill point: from then on nothing is written and no call returns. The store
 * itself stays usable, so that another flow in the same process can take over.
 *
 * @param point default: none, so the process is never killed
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
    events: { read: alive(store.events.read) },
    chats: {
      ...store.chats,
      head: alive(store.chats.head),
      sealedSince: alive(store.chats.sealedSince),
      erase: alive(store.chats.erase),
    },
    questions: { ...store.questions, read: alive(store.questions.read) },
    runs: {
      ...store.runs,
      claimLease: alive(store.runs.claimLease),
      requestStop: alive(store.runs.requestStop),
      stopRequested: alive(store.runs.stopRequested),
    },
    calls: { recent: alive(store.calls.recent) },
    erasures: { ...store.erasures, drop: alive(store.erasures.drop) },
    instances: { announce: alive(store.instances.announce), retire: alive(store.instances.retire) },
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
