import type { Append, FlowStore } from '../../log/store/index.ts';

/**
 * A store whose appends can be delayed or made to fail, to simulate a slow or failing database.
 *
 * @param before runs before each append; its error becomes the append's error, and its promise delays the append
 * @param after receives what was written
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
