import type { FlowStore } from '../../lib/log/store/index.ts';

/** A store for an instance that learns of stops too late: the notification is lost, and each check comes before it. */
export function missedStopsStore(store: FlowStore): FlowStore {
  return {
    ...store,
    runs: { ...store.runs, stopRequested: async () => false },
    subscribe: (listener) =>
      store.subscribe((wake) => {
        if (wake.reason !== 'stop') listener(wake);
      }),
  };
}
