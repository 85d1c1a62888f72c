import { LRUCache } from 'lru-cache';
import { Conflict } from '../log/conflict.ts';
import type { ChatHead, FlowStore } from '../log/store/index.ts';
import type { ChatId, FlowEvent } from '../protocol/index.ts';
import { createTranscript, type Transcript } from './transcript.ts';

/** How many parsed transcripts are cached. */
const keptChats = 64;

/**
 * The transcripts of the chats that were used last, parsed once and then fed with new events only: a chat's
 * length costs memory here, not time at each step.
 */
export function createTranscripts(store: FlowStore) {
  const kept = new LRUCache<ChatId, { readonly transcript: Transcript; readonly createdAt: number }>({
    max: keptChats,
  });

  return {
    /**
     * The transcript as of this head or later, without a read if the cached one is recent enough. Nothing of an erased
     * chat appears in a later chat with the same id.
     *
     * @throws Conflict when the chat was erased after this head was read
     */
    async load({
      id: chatId,
      createdAt,
      seq,
    }: Pick<ChatHead, 'id' | 'createdAt' | 'seq'>): Promise<Transcript> {
      const found = kept.peek(chatId);
      const transcript = found?.createdAt === createdAt ? found.transcript : createTranscript();
      if (transcript.seq < seq) {
        for (const event of await store.events.read(chatId, transcript.seq)) {
          if (event.seq > transcript.seq) transcript.apply(event);
        }
        if (transcript.seq < seq) throw new Conflict(`Chat ${chatId} was erased.`);
      }
      kept.set(chatId, { transcript, createdAt });
      return transcript;
    },

    /** Applies a durable event to the cached transcript of its chat, once. Chats that are not cached cost nothing. */
    take({ id, createdAt }: Pick<ChatHead, 'id' | 'createdAt'>, event: FlowEvent): void {
      const found = kept.peek(id);
      if (found?.createdAt !== createdAt || found.transcript.seq !== event.seq - 1) return;
      found.transcript.apply(event);
    },

    /** Forgets an erased chat. */
    forget(chatId: ChatId): void {
      kept.delete(chatId);
    },
  };
}

export type Transcripts = ReturnType<typeof createTranscripts>;
