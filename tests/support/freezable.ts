import type { FakeClock } from 'countersign/testing';
import type { FlowStore } from '../../lib/log/store/index.ts';
import type { Clock } from '../../lib/protocol/index.ts';
import { barrier } from './barrier.ts';
import { tracedStore } from './traced-store.ts';

/**
 * What an instance sees whose process can be frozen: while it is, no timer of it fires and no call of the store returns. Time
 * goes on meanwhile.
 */
export function freezable(store: FlowStore, clock: FakeClock) {
  let frozen: ReturnType<typeof barrier> | undefined;
  const due: (() => void)[] = [];
  const own: Clock = {
    now: () => clock.now(),
    after: (ms, callback) => clock.after(ms, () => (frozen ? due.push(callback) : callback())),
  };
  const stopping = tracedStore(store, async (_method, call) => {
    await frozen?.wait;
    return call();
  });
  return {
    store: stopping,
    clock: own,
    freeze(): void {
      frozen = barrier();
    },
    thaw(): void {
      frozen?.lift();
      frozen = undefined;
      for (const callback of due.splice(0)) callback();
    },
  };
}
