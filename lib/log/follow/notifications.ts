import type { ChatId } from '../../protocol/index.ts';
import type { FlowStore, Wake } from '../store-port.ts';

/** A change; `undefined` if there will be no more. */
type Change = Omit<Wake, 'chatId'>;
type Listener = (change?: Change) => void;

/**
 * One subscription to the store, shared by all readers: each is called for its own chat only, at a cost that does
 * not grow with the number of readers.
 */
export function createWakes(store: FlowStore) {
  const readers = new Map<ChatId, Set<Listener>>();
  const everybody = new Set<Listener>();
  let closed = false;
  const unsubscribe = store.subscribe(({ chatId, ...change }) => {
    tell(chatId, change);
    for (const wake of everybody) wake(change);
  });

  function tell(chatId: ChatId, change: Change): void {
    for (const wake of readers.get(chatId) ?? []) wake(change);
  }

  return {
    /** Calls back after each change of a chat; of any chat without an id. Returns a function that ends it. */
    listen(chatId: ChatId | undefined, wake: Listener): () => void {
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
    /** Tells those who listen to one chat of a change, before the store does. */
    tell,
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
