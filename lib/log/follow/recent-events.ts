import type { ChatId, FlowEvent, RunId } from '../../protocol/index.ts';
import type { Append, ChatHead, FlowStore } from '../store-port.ts';

/** How many chats keep the end of their log in memory, and how many events of it. */
const keptChats = 64;
const keptEvents = 128;

type Tail = {
  readonly createdAt: number;
  /** In order, without gaps. Durable, every one. */
  events: FlowEvent[];
  /** The run of the last of them. */
  runId: RunId | null;
  /** The highest `seq` that somebody told of. */
  heard: number;
  /** An append of ours that is under way. */
  writing?: { readonly after: number; readonly upTo: number; readonly settled: Promise<void> };
};

/**
 * The ends of the logs that this instance wrote last. What it has just made durable it need not read again: neither
 * for local readers, nor for the next decision. For older events, callers read the store.
 */
export function createTails(store: Pick<FlowStore, 'subscribe'>) {
  const tails = new Map<ChatId, Tail>();
  const endListening = store.subscribe(({ chatId, reason, seq = Number.POSITIVE_INFINITY }) => {
    if (reason === 'erase') tails.delete(chatId);
    const tail = reason === 'append' && tails.get(chatId);
    if (tail) tail.heard = Math.max(tail.heard, seq);
  });

  /** A chat may be erased and begun anew under its id: that is another one. */
  function find({ id, createdAt }: Pick<ChatHead, 'id' | 'createdAt'>): Tail | undefined {
    const tail = tails.get(id);
    return tail?.createdAt === createdAt ? tail : undefined;
  }

  function findOrBegin({ id, createdAt }: ChatHead): Tail {
    const tail = find({ id, createdAt }) ?? { createdAt, events: [], runId: null, heard: 0 };
    tails.delete(id);
    tails.set(id, tail);
    const oldest = tails.keys().next();
    if (tails.size > keptChats && !oldest.done) tails.delete(oldest.value);
    return tail;
  }

  function extend(tail: Tail, head: ChatHead, events: readonly FlowEvent[]): void {
    const follows = tail.events.at(-1)?.seq === (events[0]?.seq ?? 0) - 1;
    const all = follows ? [...tail.events, ...events] : events;
    tail.events = all.filter(({ seq }) => seq >= head.turnSeq).slice(-keptEvents);
    tail.runId = head.runId;
  }

  return {
    /** Runs an append, and keeps what it made durable. */
    async write<Outcome extends string>(
      { after, head, events }: Pick<Append, 'after' | 'head' | 'events'>,
      append: () => Promise<Outcome | 'appended'>,
    ): Promise<Outcome | 'appended'> {
      const tail = findOrBegin(head);
      const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
      const writing = { after, upTo: head.seq, settled };
      tail.writing = writing;
      try {
        const outcome = await append();
        // Erased meanwhile, it must not stay here.
        if (outcome === 'appended' && tails.get(head.id) === tail) extend(tail, head, events);
        return outcome;
      } finally {
        if (tail.writing === writing) tail.writing = undefined;
        settle();
      }
    },

    /** Keeps the open turn as it was read from the store. */
    learn(head: ChatHead, turn: readonly FlowEvent[]): void {
      if (turn.at(-1)?.seq !== head.seq) return;
      const tail = findOrBegin(head);
      if ((tail.events.at(-1)?.seq ?? 0) > head.seq) return;
      tail.events = [];
      extend(tail, head, turn);
    },

    /** The open turn as of this head; `undefined` when not all of it is known here. */
    turnOf(head: ChatHead): readonly FlowEvent[] | undefined {
      const { events = [], runId } = find(head) ?? {};
      const isWhole = events[0]?.seq === head.turnSeq && events.at(-1)?.seq === head.seq;
      return isWhole && runId === head.runId ? events : undefined;
    },

    /** At most `limit` events that follow the one at `seq`; none when the next one is not known here. */
    after(chat: Pick<ChatHead, 'id' | 'createdAt'>, seq: number, limit: number): FlowEvent[] {
      const { events = [] } = find(chat) ?? {};
      const begin = seq + 1 - (events[0]?.seq ?? Number.POSITIVE_INFINITY);
      return begin < 0 ? [] : events.slice(begin, begin + limit);
    },

    /** How far a log is said to reach; endless when nobody has listened for it here. */
    heard: (chat: Pick<ChatHead, 'id' | 'createdAt'>): number =>
      find(chat)?.heard ?? Number.POSITIVE_INFINITY,

    /** The end of an append that is under way here and holds the event at `seq`, if there is one. */
    writing(chat: Pick<ChatHead, 'id' | 'createdAt'>, seq: number): Promise<void> | undefined {
      const writing = find(chat)?.writing;
      return writing && writing.after < seq && seq <= writing.upTo ? writing.settled : undefined;
    },

    /** Forgets an erased chat. */
    forget(chatId: ChatId): void {
      tails.delete(chatId);
    },

    close: endListening,
  };
}

/** @see createTails */
export type Tails = ReturnType<typeof createTails>;
