import type { StoreChange } from '../log/store/index.ts';
import type { Logger } from '../protocol/index.ts';

/** The subscribers of one store. @see createSubscribers */
export type Subscribers = {
  /** Notifies every subscriber in a microtask: after the caller's transaction, in the order of the calls. */
  notify(change: StoreChange): void;
  /** Returns a function that ends the subscription. A notification in progress is then not delivered. */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Ends all subscriptions. */
  clear(): void;
};

/** Notifies subscribers within one process. An exception in one subscriber is logged and does not affect the others. */
export function createSubscribers(logger?: Logger): Subscribers {
  const subscriptions = new Set<{ readonly listener: (change: StoreChange) => void }>();

  const deliver = (change: StoreChange) => {
    // A copy: a subscriber added during delivery must not receive the same notification.
    for (const subscription of [...subscriptions]) {
      if (!subscriptions.has(subscription)) continue;
      try {
        subscription.listener(change);
      } catch (error) {
        logger?.error('A subscriber of the store threw. The others were notified.', {
          ...change,
          error: String(error),
        });
      }
    }
  };

  return {
    notify: (change) => queueMicrotask(() => deliver(change)),
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
