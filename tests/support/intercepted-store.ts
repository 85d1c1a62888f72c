import type { Append, FlowStore } from '../../lib/vocabulary/index.ts';

/**
 * A store whose appends can be held or failed, as a slow or dying database does.
 *
 * @param before runs ahead of each append: what it throws is the append's error, what it awaits delays it
 */
export function interceptedStore(
  store: FlowStore,
  before: (append: Append) => Promise<void> | void,
): FlowStore {
  return {
    ...store,
    async append(append) {
      await before(append);
      return store.append(append);
    },
  };
}
