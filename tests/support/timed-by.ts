import type { FlowStore } from '../../lib/log/store-port.ts';
import type { Clock } from '../../lib/protocol/index.ts';

/** A store whose own clock is this one: time in a test, on a database that has a clock of its own. */
export function timedBy(store: FlowStore, clock: Pick<Clock, 'now'>): FlowStore {
  return { ...store, clock: { now: () => clock.now(), measure: async () => {} } };
}
