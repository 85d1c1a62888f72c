import type { FlowEvent } from '../../protocol/index.ts';
import type { ChatHead, FlowStore } from '../store-port.ts';
import type { Notifications } from './notifications.ts';
import type { Readers } from './readers.ts';
import type { RecentEvents } from './recent-events.ts';

/** Events per read: the most that a reader that has stopped reading holds in memory. */
const pageSize = 100;

/** Whether an event ends the reading: always, or only if it is the last one in the log. */
export type Verdict = 'goes-on' | 'ends' | 'ends-unless-more';

/**
 * Reads a chat's log from a place on, then live, until an event ends the reading or the chat is erased. Events are read
 * when they are asked for, so a reader that has stopped costs one page of memory. Cancelling detaches the reader only.
 */
export function follow({
  store,
  recentEvents,
  notifications,
  readers,
  chat,
  after,
  upTo,
  before,
  judge,
}: {
  store: FlowStore;
  recentEvents: RecentEvents;
  notifications: Notifications;
  readers: Readers;
  chat: Pick<ChatHead, 'id' | 'createdAt'>;
  /** The `seq` to begin after. */
  after: number;
  /** How far the log reaches, if this instance has just written it. */
  upTo?: number;
  /** Called for each event. Its promise is awaited before the event is passed on. */
  before?: (event: FlowEvent) => Promise<void> | undefined;
  judge: (event: FlowEvent) => Verdict;
}): ReadableStream<FlowEvent> {
  const { id: chatId } = chat;
  const alarm = createAlarm();
  const reader = readers.join(chatId);
  let cursor = after;
  /** How far the log reaches, as announced. If it is beyond the cursor, there is something to read. */
  let announced =
    upTo === undefined ? Number.POSITIVE_INFINITY : Math.max(upTo, recentEvents.announced(chat));
  let page: FlowEvent[] = [];
  let cancelled = false;
  let erased = false;
  /** A chat with this id was erased: this one, or one that had the id before. */
  let mayBeErased = false;
  const stopListening = notifications.listen(
    chatId,
    ({ reason, seq = Number.POSITIVE_INFINITY } = { reason: 'append' }) => {
      if (reason === 'erase') mayBeErased = true;
      if (reason === 'append') announced = Math.max(announced, seq);
      alarm.ring();
    },
  );

  async function nextPage(): Promise<void> {
    while (!cancelled) {
      alarm.reset();
      page = erased ? [] : await eventsAfter();
      if (mayBeErased) await lookIfErased();
      if (page.length > 0 || erased) return;
      // The chat was erased before this reader listened, so no notification follows.
      if (cursor === after && (await store.head(chatId)) === undefined) return;
      await alarm.rung();
    }
  }

  /** Stays erased even if the id is reused: nothing of the new chat may be read here. */
  async function lookIfErased(): Promise<void> {
    mayBeErased = false;
    erased = (await store.head(chatId))?.createdAt !== chat.createdAt;
    if (erased) page = [];
  }

  /** Takes events from the cache first, then from the store. */
  async function eventsAfter(): Promise<FlowEvent[]> {
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
    const read = await store.read(chatId, cursor, pageSize);
    if (read.length === pageSize) announced = Number.POSITIVE_INFINITY;
    return read;
  }

  async function give(controller: ReadableStreamDefaultController<FlowEvent>): Promise<void> {
    if (mayBeErased) await lookIfErased();
    if (page.length === 0 || erased) await nextPage();
    const event = page.shift();
    const ready = event && before?.(event);
    if (ready) await ready;
    if (cancelled) return;
    let ends = event === undefined;
    if (event) {
      cursor = event.seq;
      reader.given();
      controller.enqueue(event);
      const verdict = judge(event);
      ends = verdict === 'ends';
      if (verdict === 'ends-unless-more' && page.length === 0) {
        page = await store.read(chatId, cursor, pageSize);
        ends = page.length === 0;
      }
    }
    if (ends && !cancelled) {
      leave();
      controller.close();
    }
  }

  function leave(): void {
    stopListening();
    reader.leave();
  }

  return new ReadableStream<FlowEvent>(
    {
      async pull(controller) {
        reader.asks(cursor);
        try {
          await give(controller);
        } catch (error) {
          leave();
          throw error;
        }
      },
      cancel() {
        cancelled = true;
        leave();
        alarm.ring();
      },
    },
    { highWaterMark: 0 },
  );
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
