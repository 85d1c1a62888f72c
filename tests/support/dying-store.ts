import type { FlowStore } from '../../lib/vocabulary/index.ts';

/** When a process dies: before an append is written, or after it, before anybody hears of it. */
export type Death = 'before' | 'after';

/**
 * A store as a process sees it that is killed at its nth append (from 0): from then on nothing is written and no
 * call comes back.
 */
export function dyingStore(store: FlowStore, place: number, death: Death) {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const { promise: never } = Promise.withResolvers<never>();
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
    stopRequested: alive(store.stopRequested),
    append: alive(async (append) => {
      const own = appends;
      appends += 1;
      if (own !== place) return store.append(append);
      dead = true;
      if (death === 'after') await store.append(append);
      die();
      return never;
    }),
  };
  return { store: dying, died, appends: () => appends };
}
