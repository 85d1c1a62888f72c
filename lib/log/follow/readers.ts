import type { ChatId, Clock } from '../../protocol/index.ts';

/** The longest that a call's start waits for its readers. Milliseconds. */
const patienceMs = 250;

/** The longest that it waits for one who has come and not begun to read. Turns of the event loop: short when idle. */
const patienceTurns = 50;

/** One who reads a chat in this process. */
export type Reader = {
  /** It wants more than it was given up to `seq`. */
  asks(seq: number): void;
  /** It was given something, and has not asked again. */
  given(): void;
  leave(): void;
};

type Standing = { phase: 'new' | 'asks' | 'given'; seq: number };

/**
 * Who reads a chat in this process, and how far each has come. A tool may block the process as soon as it runs, so
 * its start is on its way to everybody who listens before `execute` is called.
 *
 * @source C3, A24
 */
export function createReaders(clock: Clock) {
  const chats = new Map<ChatId, Set<Standing>>();
  const waiting = new Set<() => void>();

  function changed(): void {
    for (const look of [...waiting]) look();
  }

  /** Nobody who asks for more has yet to be given an event; who does not ask is not waited for. */
  function isTold(chatId: ChatId, seq: number): boolean {
    return ![...(chats.get(chatId) ?? [])].some((reader) => reader.phase === 'asks' && reader.seq < seq);
  }

  function hasNewcomer(chatId: ChatId): boolean {
    return [...(chats.get(chatId) ?? [])].some(({ phase }) => phase === 'new');
  }

  return {
    join(chatId: ChatId): Reader {
      const standing: Standing = { phase: 'new', seq: 0 };
      const others = chats.get(chatId) ?? new Set();
      chats.set(chatId, others.add(standing));
      return {
        asks(seq) {
          standing.phase = 'asks';
          standing.seq = seq;
          changed();
        },
        given() {
          standing.phase = 'given';
        },
        leave() {
          others.delete(standing);
          if (others.size === 0 && chats.get(chatId) === others) chats.delete(chatId);
          changed();
        },
      };
    },

    /** Resolves when everybody who listens was given the events up to `seq`, and could pass them on. */
    async told(chatId: ChatId, seq: number): Promise<void> {
      if (!chats.has(chatId)) return;
      // A reader between two events asks again within this turn of the event loop.
      let turns = 0;
      do await turnOfEventLoop();
      while (hasNewcomer(chatId) && ++turns < patienceTurns);
      if (isTold(chatId, seq)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (isTold(chatId, seq)) resolve();
      };
      waiting.add(look);
      const cancel = clock.after(patienceMs, resolve);
      await promise;
      cancel();
      waiting.delete(look);
      await turnOfEventLoop();
    },
  };
}

/** @see createReaders */
export type Readers = ReturnType<typeof createReaders>;

/** Lets whatever waits in the event loop run first. */
export function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
