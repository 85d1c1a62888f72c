import type { FlowEvent } from '../../protocol/index.ts';
import type { ChatHead, FlowStore } from '../store-port.ts';
import type { Wakes } from './notifications.ts';
import type { Readers } from './readers.ts';
import type { Tails } from './recent-events.ts';

/** Events read at once: what a reader that stops reading may hold, besides what it has read. */
const pageSize = 100;

/** Whether an event ends the reading: for good, or only when nothing more is in the log. */
export type Verdict = 'goes-on' | 'ends' | 'ends-unless-more';

/**
 * Reads a chat's log from a place on, then live, until an event ends the reading or the chat is gone.
 * Pull-based: a reader that stops reading costs its cursor. Cancelling detaches the reader only.
 */
export function follow({
  store,
  tails,
  wakes,
  readers,
  chat,
  after,
  upTo,
  before,
  judge,
}: {
  store: FlowStore;
  tails: Tails;
  wakes: Wakes;
  readers: Readers;
  chat: Pick<ChatHead, 'id' | 'createdAt'>;
  /** The `seq` to begin after. */
  after: number;
  /** How far the log reaches, where it was this instance that has just brought it there. */
  upTo?: number;
  /** Called for each event; what it returns is waited for before the event is given. */
  before?: (event: FlowEvent) => Promise<void> | undefined;
  judge: (event: FlowEvent) => Verdict;
}): ReadableStream<FlowEvent> {
  const { id: chatId } = chat;
  const alarm = createAlarm();
  const reader = readers.join(chatId);
  let cursor = after;
  /** How far the log is said to reach: beyond the cursor there is something to read. */
  let told = upTo === undefined ? Number.POSITIVE_INFINITY : Math.max(upTo, tails.heard(chat));
  let page: FlowEvent[] = [];
  let cancelled = false;
  let erased = false;
  /** Something under this id was erased: this chat, or the one that had the id before. */
  let mayBeErased = false;
  const stopListening = wakes.listen(
    chatId,
    ({ reason, seq = Number.POSITIVE_INFINITY } = { reason: 'append' }) => {
      if (reason === 'erase') mayBeErased = true;
      if (reason === 'append') told = Math.max(told, seq);
      alarm.ring();
    },
  );

  async function nextPage(): Promise<void> {
    while (!cancelled) {
      alarm.reset();
      page = erased ? [] : await eventsAfter();
      if (mayBeErased) await lookIfErased();
      if (page.length > 0 || erased) return;
      // Erased before anybody listened: nobody will tell.
      if (cursor === after && (await store.head(chatId)) === undefined) return;
      await alarm.rung();
    }
  }

  /** For good, though the id may have been taken again: that chat is somebody else's, and nothing of it is given. */
  async function lookIfErased(): Promise<void> {
    mayBeErased = false;
    erased = (await store.head(chatId))?.createdAt !== chat.createdAt;
    if (erased) page = [];
  }

  /** What was written here is known before the store is asked. */
  async function eventsAfter(): Promise<FlowEvent[]> {
    let known = tails.after(chat, cursor, pageSize);
    if (known.length > 0 || told <= cursor) return known;
    if (told < Number.POSITIVE_INFINITY) {
      // The store may tell of an append before it has answered it.
      await tails.writing(chat, cursor + 1);
      known = tails.after(chat, cursor, pageSize);
      if (known.length > 0 || told <= cursor) return known;
    }
    // Later notifications raise it again.
    told = cursor;
    const read = await store.read(chatId, cursor, pageSize);
    if (read.length === pageSize) told = Number.POSITIVE_INFINITY;
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

/** Remembers a ring that came before anybody waited. */
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
