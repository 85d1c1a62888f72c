import type { FlowStore } from '../../../lib/log/store/index.ts';

/** The rejected order: a remembered approval is looked up, and its use is then appended without another check. */
export function lookThenAppend(store: FlowStore): FlowStore {
  return { ...store, append: ({ records: _unchecked, ...batch }) => store.append(batch) };
}
