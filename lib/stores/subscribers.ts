import type { Wake } from '../log/store-port.ts';
import type { Logger } from '../protocol/index.ts';

/** The subscribers of one store. @see createSubscribers */
export type Subscribers = {
  /** Notifies every subscriber in a microtask: after the caller's transaction, in the order of the calls. */
  notify(wake: Wake): void;
  /** Returns a function that ends the subscription. A notification in progress is then not delivered. */
  subscribe(listener: (wake: Wake) => void): () => void;
  /** Ends all subscriptions. */
  clear(): void;
};

/**
 * Notifies subscribers within one process. An exception in one subscriber is logged and does not affect the others.
 */
export function createSubscribers(logger?: Logger): Subscribers {
  const subscriptions = new Set<{ readonly listener: (wake: Wake) => void }>();

  const deliver = (wake: Wake) => {
    // A copy: a subscriber added during delivery must not receive the same notification.
    for (const subscription of [...subscriptions]) {
      if (!subscriptions.has(subscription)) continue;
      try {
        subscription.listener(wake);
      } catch (error) {
        logger?.error('A subscriber of the store threw. The others were notified.', {
          ...wake,
          error: String(error),
        });
      }
    }
  };

  return {
    notify: (wake) => queueMicrotask(() => deliver(wake)),
    subscribe: (listener) => {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => {
        subscriptions.delete(subscription);
      };
    },
    clear: () => subscriptions.clear(),
  };
}
