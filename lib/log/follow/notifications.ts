import type { ChatId } from '../../protocol/index.ts';
import type { FlowStore, StoreChange } from '../store/index.ts';

/** What changed. */
type Change = Omit<StoreChange, 'chatId'>;
/** Called without a change when there will be no more. */
type Listener = (change?: Change) => void;

/**
 * One subscription to the store, shared by all readers. Each reader is called for its own chat only, so the cost of a
 * change does not grow with the number of readers.
 */
export function createNotifications(store: FlowStore) {
  const readers = new Map<ChatId, Set<Listener>>();
  const everybody = new Set<Listener>();
  const atClose = new Set<() => void>();
  let closed = false;
  const unsubscribe = store.subscribe(({ chatId, ...change }) => {
    notify(chatId, change);
    for (const listener of everybody) listener(change);
  });

  function notify(chatId: ChatId, change: Change): void {
    for (const listener of readers.get(chatId) ?? []) listener(change);
  }

  return {
    /** Calls back after each change of a chat, or, without an id, of any chat. Returns a function that ends it. */
    listen(chatId: ChatId | undefined, listener: Listener): () => void {
      if (chatId === undefined) {
        everybody.add(listener);
        return () => everybody.delete(listener);
      }
      const set = readers.get(chatId) ?? new Set();
      readers.set(chatId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && readers.get(chatId) === set) readers.delete(chatId);
      };
    },
    /** Notifies the listeners of one chat, before the store does. */
    notify,
    get closed() {
      return closed;
    },
    /** Calls back once, when there will be no more changes. Returns a function that ends it. */
    onClose(callback: () => void): () => void {
      if (closed) callback();
      else atClose.add(callback);
      return () => atClose.delete(callback);
    },
    /** Ends the subscription. Listeners to all chats are called without a change, so that they end as well. */
    close(): void {
      closed = true;
      unsubscribe();
      for (const listener of everybody) listener();
      for (const callback of atClose) callback();
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
