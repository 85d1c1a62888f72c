import type { FlowStore } from '../../lib/log/store-port.ts';

/** A store as an instance sees it that learns of stops too late: the wake is lost, and each look comes before it. */
export function deafToStops(store: FlowStore): FlowStore {
  return {
    ...store,
    stopRequested: async () => false,
    subscribe: (listener) =>
      store.subscribe((wake) => {
        if (wake.reason !== 'stop') listener(wake);
      }),
  };
}
