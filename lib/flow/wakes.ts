import type { ChatId, FlowStore } from '../vocabulary/index.ts';

/**
 * One subscription to the store, shared by all readers: each hears of its own chat only, at a cost that does
 * not grow with the number of readers.
 */
export function createWakes(store: FlowStore) {
  const readers = new Map<ChatId, Set<() => void>>();
  const everybody = new Set<() => void>();
  let closed = false;
  const unsubscribe = store.subscribe(({ chatId }) => {
    for (const wake of readers.get(chatId) ?? []) wake();
    for (const wake of everybody) wake();
  });

  return {
    /** Calls back after each change of a chat; of any chat without an id. Returns a function that ends it. */
    listen(chatId: ChatId | undefined, wake: () => void): () => void {
      if (chatId === undefined) {
        everybody.add(wake);
        return () => everybody.delete(wake);
      }
      const set = readers.get(chatId) ?? new Set();
      readers.set(chatId, set.add(wake));
      return () => {
        set.delete(wake);
        if (set.size === 0 && readers.get(chatId) === set) readers.delete(chatId);
      };
    },
    get closed() {
      return closed;
    },
    /** Ends the subscription, and wakes everybody who waits for changes of any chat, to end as well. */
    close(): void {
      closed = true;
      unsubscribe();
      for (const wake of everybody) wake();
    },
  };
}

/** @see createWakes */
export type Wakes = ReturnType<typeof createWakes>;
