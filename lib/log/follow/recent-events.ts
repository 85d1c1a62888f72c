import { LRUCache } from 'lru-cache';
import type { ChatId, FlowEvent, RunId } from '../../protocol/index.ts';
import type { Append, ChatHead, FlowStore } from '../store/index.ts';

/** Chats that are cached, and events of each. */
const keptChats = 64;
const keptEvents = 128;

type Recent = {
  readonly createdAt: number;
  /** In order, without gaps. All are durable. */
  events: FlowEvent[];
  runId: RunId | null;
  /** The highest `seq` that was announced. */
  announced: number;
  /** An append of this instance that is under way. */
  writing?: { readonly after: number; readonly upTo: number; readonly ended: Promise<void> };
};

/**
 * Caches the ends of the logs that this instance wrote last. Local readers and the next decision take new events from
 * here instead of reading them back. For older events, callers read the store.
 */
export function createRecentEvents(store: Pick<FlowStore, 'subscribe'>) {
  const chats = new LRUCache<ChatId, Recent>({ max: keptChats });
  const endListening = store.subscribe(({ chatId, reason, seq = Number.POSITIVE_INFINITY }) => {
    if (reason === 'erase') chats.delete(chatId);
    const recent = reason === 'append' && chats.peek(chatId);
    if (recent) recent.announced = Math.max(recent.announced, seq);
  });

  /** A chat that was erased and created again under its id is another chat. */
  function find({ id, createdAt }: Pick<ChatHead, 'id' | 'createdAt'>): Recent | undefined {
    const recent = chats.peek(id);
    return recent?.createdAt === createdAt ? recent : undefined;
  }

  function findOrBegin({ id, createdAt }: ChatHead): Recent {
    const recent = find({ id, createdAt }) ?? { createdAt, events: [], runId: null, announced: 0 };
    chats.set(id, recent);
    return recent;
  }

  function extend(recent: Recent, head: ChatHead, events: readonly FlowEvent[]): void {
    const follows = recent.events.at(-1)?.seq === (events[0]?.seq ?? 0) - 1;
    const all = follows ? recent.events.concat(events) : events;
    const earlier = Math.max(0, head.turnSeq - (all[0]?.seq ?? 0));
    recent.events = all.slice(Math.max(earlier, all.length - keptEvents));
    recent.runId = head.runId;
  }

  return {
    /** Runs an append, and caches what it made durable. */
    async write<Outcome>(
      { after, head, events }: Pick<Append, 'after' | 'head' | 'events'>,
      append: () => Promise<Outcome | 'appended'>,
    ): Promise<Outcome | 'appended'> {
      const recent = findOrBegin(head);
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const writing = { after, upTo: head.seq, ended };
      recent.writing = writing;
      try {
        const outcome = await append();
        // If the chat has been erased since, its events must not stay here.
        if (outcome === 'appended' && chats.peek(head.id) === recent) extend(recent, head, events);
        return outcome;
      } finally {
        if (recent.writing === writing) recent.writing = undefined;
        end();
      }
    },

    /** Caches the open turn as it was read from the store. */
    learn(head: ChatHead, turn: readonly FlowEvent[]): void {
      if (turn.at(-1)?.seq !== head.seq) return;
      const recent = findOrBegin(head);
      if ((recent.events.at(-1)?.seq ?? 0) > head.seq) return;
      recent.events = [];
      extend(recent, head, turn);
    },

    /** The open turn as of this head; `undefined` if it is not cached whole. */
    turnOf(head: ChatHead): readonly FlowEvent[] | undefined {
      const { events = [], runId } = find(head) ?? {};
      const isWhole = events[0]?.seq === head.turnSeq && events.at(-1)?.seq === head.seq;
      return isWhole && runId === head.runId ? events : undefined;
    },

    /** At most `limit` events that follow the one at `seq`; none if the next one is not cached. */
    after(chat: Pick<ChatHead, 'id' | 'createdAt'>, seq: number, limit: number): FlowEvent[] {
      const { events = [] } = find(chat) ?? {};
      const begin = seq + 1 - (events[0]?.seq ?? Number.POSITIVE_INFINITY);
      return begin < 0 ? [] : events.slice(begin, begin + limit);
    },

    /** The `seq` up to which the log has been announced; infinite for a chat that is not cached. */
    announced: (chat: Pick<ChatHead, 'id' | 'createdAt'>): number =>
      find(chat)?.announced ?? Number.POSITIVE_INFINITY,

    /** Resolves when the append that contains the event at `seq` has ended, if one is under way here. */
    writing(chat: Pick<ChatHead, 'id' | 'createdAt'>, seq: number): Promise<void> | undefined {
      const writing = find(chat)?.writing;
      return writing && writing.after < seq && seq <= writing.upTo ? writing.ended : undefined;
    },

    /** Removes an erased chat. */
    forget(chatId: ChatId): void {
      chats.delete(chatId);
    },

    close: endListening,
  };
}

export type RecentEvents = ReturnType<typeof createRecentEvents>;
