import type { FakeClock } from 'countersign/testing';
import type { FlowStore } from '../../lib/log/store-port.ts';
import type { Clock } from '../../lib/protocol/index.ts';
import { barrier } from './barrier.ts';

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
  const stopping = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || name === 'subscribe') return member;
      return async (...args: unknown[]) => {
        await frozen?.wait;
        return Reflect.apply(member, target, args) as unknown;
      };
    },
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
