import type { FlowEvent } from '../../protocol/index.ts';
import type { ChatHead, FlowStore } from '../store/index.ts';
import type { Notifications } from './notifications.ts';
import type { RecentEvents } from './recent-events.ts';

/** Events per read: the most that a stalled reader holds in memory. */
const pageSize = 100;

/** How many events from outside the log a stalled reader holds. The oldest are dropped. */
const keptBeside = 100;

export type LogSources = {
  readonly store: FlowStore;
  readonly recentEvents: RecentEvents;
  readonly notifications: Notifications;
};

/** A log from a place, page by page, then waiting for more. @param place.upTo how far it reaches, if just written here */
export function createLogPages(
  { store, recentEvents, notifications }: LogSources,
  chat: Pick<ChatHead, 'id' | 'createdAt'>,
  { after, upTo }: { readonly after: number; readonly upTo?: number },
) {
  const { id: chatId } = chat;
  const alarm = createAlarm();
  const log = createPageReader({ store, recentEvents }, chat, upTo);
  const beside = createBesideEvents();
  let cursor = after;
  let page: FlowEvent[] = [];
  let closed = false;
  let erased = false;
  /** A chat with this id was erased: this one, or one that had the id before. */
  let mayBeErased = false;
  const stopListening = notifications.listen(
    chatId,
    ({ reason, seq = Number.POSITIVE_INFINITY } = { reason: 'append' }) => {
      if (reason === 'erase') mayBeErased = true;
      if (reason === 'append') log.announce(seq);
      alarm.ring();
    },
  );

  async function nextPage(): Promise<void> {
    if (mayBeErased) await lookIfErased();
    while (!closed && page.length === 0 && !beside.isDue(cursor)) {
      alarm.reset();
      page = erased ? [] : await log.after(cursor);
      if (mayBeErased) await lookIfErased();
      if (page.length > 0 || erased) return;
      // The chat was erased before this reader listened, so no notification follows.
      if (cursor === after && (await store.chats.head(chatId)) === undefined) return;
      await alarm.rung();
    }
  }

  /** Stays erased even if the id is reused: nothing of the new chat may be read here. */
  async function lookIfErased(): Promise<void> {
    mayBeErased = false;
    erased = (await store.chats.head(chatId))?.createdAt !== chat.createdAt;
    if (!erased) return;
    page = [];
    beside.clear();
  }

  return {
    /** `seq` of the last event that was taken. */
    get cursor() {
      return cursor;
    },

    /** Waits for the next event; `undefined` if it is here. To be called before each `take`. */
    load(): Promise<void> | undefined {
      return mayBeErased || (page.length === 0 && !beside.isDue(cursor)) ? nextPage() : undefined;
    },

    take(): FlowEvent | undefined {
      if (beside.isDue(cursor)) return beside.take();
      const event = page.shift();
      if (event) cursor = event.seq;
      return event;
    },

    /** True if the log has an event after the last one that was taken. */
    async hasMore(): Promise<boolean> {
      if (page.length === 0) page = await store.events.read(chatId, cursor, pageSize);
      return page.length > 0;
    },

    offer(event: FlowEvent): void {
      beside.add(event);
      alarm.ring();
    },

    close(): void {
      closed = true;
      stopListening();
      alarm.ring();
    },
  };
}

function createPageReader(
  { store, recentEvents }: Pick<LogSources, 'store' | 'recentEvents'>,
  chat: Pick<ChatHead, 'id' | 'createdAt'>,
  upTo: number | undefined,
) {
  /** How far the log reaches, as announced. If it is beyond the cursor, there is something to read. */
  let announced =
    upTo === undefined ? Number.POSITIVE_INFINITY : Math.max(upTo, recentEvents.announced(chat));
  return {
    announce(seq: number): void {
      announced = Math.max(announced, seq);
    },

    /** The events that follow the one at `cursor`: at most a page. */
    async after(cursor: number): Promise<FlowEvent[]> {
      let known = recentEvents.after(chat, cursor, pageSize);
      if (known.length > 0 || announced <= cursor) return known;
      if (announced < Number.POSITIVE_INFINITY) {
        // The store may announce an append before the append has returned.
        await recentEvents.writing(chat, cursor + 1);
        known = recentEvents.after(chat, cursor, pageSize);
        if (known.length > 0 || announced <= cursor) return known;
      }
      // Later notifications raise it again.
      announced = cursor;
      const read = await store.events.read(chat.id, cursor, pageSize);
      if (read.length === pageSize) announced = Number.POSITIVE_INFINITY;
      return read;
    },
  };
}

/** Events that are not in the log, each due after the event that has its `seq`. */
function createBesideEvents() {
  let events: FlowEvent[] = [];
  return {
    isDue: (cursor: number): boolean => events[0] !== undefined && events[0].seq <= cursor,
    take: (): FlowEvent | undefined => events.shift(),
    add(event: FlowEvent): void {
      events = [...events, event].slice(-keptBeside);
    },
    clear(): void {
      events = [];
    },
  };
}

/** Remembers a ring that came before `rung` was called. */
function createAlarm() {
  let waiting = Promise.withResolvers<void>();
  return {
    ring: () => waiting.resolve(),
    reset: () => {
      waiting = Promise.withResolvers<void>();
    },
    rung: () => waiting.promise,
  };
}
