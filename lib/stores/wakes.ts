import type { Wake } from '../log/store-port.ts';
import type { Logger } from '../protocol/index.ts';

/** The listeners of one store. @see createWakes */
export type Wakes = {
  /** Tells every listener in a microtask: after the caller's transaction, in the order of the calls. */
  wake(wake: Wake): void;
  /** Returns a function that ends it; a wake that is under way then is not delivered. */
  subscribe(listener: (wake: Wake) => void): () => void;
  /** Ends all subscriptions. */
  clear(): void;
};

/**
 * Fan-out of wakes within one process. One listener's exception reaches the logger, not its neighbours.
 */
export function createWakes(logger?: Logger): Wakes {
  const listeners = new Set<{ readonly tell: (wake: Wake) => void }>();

  const deliver = (wake: Wake) => {
    // A copy: a listener that subscribes while it is told must not be told of the same wake again.
    for (const listener of [...listeners]) {
      if (!listeners.has(listener)) continue;
      try {
        listener.tell(wake);
      } catch (error) {
        logger?.error('A listener of the store threw; the others were told.', {
          ...wake,
          error: String(error),
        });
      }
    }
  };

  return {
    wake: (wake) => queueMicrotask(() => deliver(wake)),
    subscribe: (tell) => {
      const listener = { tell };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    clear: () => listeners.clear(),
  };
}
