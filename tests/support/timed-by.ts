import type { FlowStore } from '../../lib/log/store/index.ts';
import type { Clock } from '../../lib/protocol/index.ts';

/** A store with this clock as its own, to control time in a test on a database with a server clock. */
export function timedBy(store: FlowStore, clock: Pick<Clock, 'now'>): FlowStore {
  return { ...store, clock: { now: () => clock.now(), measure: async () => {} } };
}
