import type { Append, FlowStore } from '../../log/store-port.ts';

/**
 * A store whose appends can be held or failed, as a slow or dying database does.
 *
 * @param before runs ahead of each append: what it throws is the append's error, what it awaits delays it
 * @param after sees what was written
 */
export function interceptedStore(
  store: FlowStore,
  before: (append: Append) => Promise<void> | void,
  after: (append: Append) => void = () => {},
): FlowStore {
  return {
    ...store,
    async append(append) {
      await before(append);
      const result = await store.append(append);
      if (result === 'appended') after(append);
      return result;
    },
  };
}
