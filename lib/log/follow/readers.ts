import type { ChatId, Clock, FlowEvent } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';

/** The longest time that the start of a call waits for its readers. Milliseconds. */
const longestMs = 250;

/** The longest time that it waits for a reader that has not begun to read, in turns of the event loop: short when idle. */
const longestTurns = 50;

/** A reader of a chat in this process. */
export type Reader = {
  /** The reader has events up to `seq` and asks for more. */
  asks(seq: number): void;
  /** The reader got an event, and has not asked again. */
  given(): void;
  leave(): void;
};

type ReaderState = {
  phase: 'new' | 'asks' | 'given';
  seq: number;
  /** Takes an event that is not in the log. */
  readonly offer: ((event: FlowEvent) => void) | undefined;
};

/**
 * The readers of each chat in this process, and how far each has read. A tool may block the process as soon as it runs,
 * so its start is sent to all readers before `execute` is called.
 *
 * @source C3, A24
 */
export function createReaders(clock: Clock) {
  const chats = new Map<ChatId, Set<ReaderState>>();
  const waiting = new Set<() => void>();

  function changed(): void {
    for (const look of waiting) look();
  }

  /** True if every reader that is waiting for more has received all events. Other readers are not waited for. */
  function isDelivered(chatId: ChatId, seq: number): boolean {
    return ![...(chats.get(chatId) ?? [])].some((reader) => reader.phase === 'asks' && reader.seq < seq);
  }

  function hasNewcomer(chatId: ChatId): boolean {
    return [...(chats.get(chatId) ?? [])].some(({ phase }) => phase === 'new');
  }

  return {
    /** @param offer takes an event that is only for current readers, after the event that has its `seq` */
    join(chatId: ChatId, offer?: (event: FlowEvent) => void): Reader {
      const reader: ReaderState = { phase: 'new', seq: 0, offer };
      const others = chats.get(chatId) ?? new Set();
      chats.set(chatId, others.add(reader));
      return {
        asks(seq) {
          reader.phase = 'asks';
          reader.seq = seq;
          changed();
        },
        given() {
          reader.phase = 'given';
        },
        leave() {
          others.delete(reader);
          if (others.size === 0 && chats.get(chatId) === others) chats.delete(chatId);
          changed();
        },
      };
    },

    /** Passes an event that is not in the log to the current readers of this chat. */
    send(chatId: ChatId, event: FlowEvent): void {
      for (const { offer } of chats.get(chatId) ?? []) offer?.(event);
    },

    /** Resolves when all readers have received the events up to `seq`, and have had time to pass them on. */
    async delivered(chatId: ChatId, seq: number): Promise<void> {
      if (!chats.has(chatId)) return;
      // A reader between two events asks again within this turn of the event loop.
      let turns = 0;
      do await runtime.turnOfEventLoop();
      while (hasNewcomer(chatId) && ++turns < longestTurns);
      if (isDelivered(chatId, seq)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (isDelivered(chatId, seq)) resolve();
      };
      waiting.add(look);
      const cancel = clock.after(longestMs, resolve);
      await promise;
      cancel();
      waiting.delete(look);
      await runtime.turnOfEventLoop();
    },
  };
}

export type Readers = ReturnType<typeof createReaders>;
