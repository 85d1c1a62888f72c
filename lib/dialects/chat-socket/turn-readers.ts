import { type ChatId, errorFacts, type FlowEvent } from '../../protocol/index.ts';
import type { TextSocket } from '../../server/text-socket.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { runProjection } from '../../views/reader/projection.ts';
import { errorFrame, formatServerFrame } from './frames.ts';
import { createChatSocketProjection } from './mapping.ts';
import type { ServerFrameInput } from './schema.ts';
import type { ChatSocketSettings } from './settings.ts';

const defaultMaxResultBytes = 64 * 1024;

/** How many conversations a socket remembers after their turns have ended. */
const maxKnown = 100;

const generic: ServerFrameInput = {
  type: 'error',
  code: 'INTERNAL_ERROR',
  message: 'A part of this answer could not be shown. It goes on.',
  recoverable: true,
};

type ReadOptions = { readonly streamsResults?: boolean; readonly onEnd?: () => void };

/** The turns that one socket reads, and the only function that sends to its client. */
export function createTurnReaders(socket: TextSocket, settings: ChatSocketSettings) {
  const { logger, maxResultBytes = defaultMaxResultBytes } = settings;
  const open = new Map<ReadableStreamDefaultReader<FlowEvent>, ChatId>();
  const known = new Set<ChatId>();
  let isGone = false;

  /** Sends a frame. One that cannot be made is logged, and a generic error takes its place. @source D14 */
  async function send(frame: ServerFrameInput): Promise<void> {
    // Not waited for when the socket is gone: closing detaches its readers.
    await socket.send(attempt(() => formatServerFrame(frame)) ?? formatServerFrame(generic)).catch(() => {});
  }

  function attempt<Result>(make: () => Result): Result | undefined {
    try {
      return make();
    } catch (error) {
      logger?.error('A frame could not be made.', { error: errorFacts(error) });
      return undefined;
    }
  }

  function remember(chatId: ChatId): void {
    known.delete(chatId);
    known.add(chatId);
    const oldest = known.values().next();
    if (known.size > maxKnown && !oldest.done) known.delete(oldest.value);
  }

  async function deliver(
    reader: ReadableStreamDefaultReader<FlowEvent>,
    framesOf: (event: FlowEvent) => readonly ServerFrameInput[],
  ): Promise<void> {
    let isOver = false;
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const event = next.value;
        for (const frame of attempt(() => framesOf(event)) ?? [generic]) {
          isOver ||= frame.type === 'complete' || (frame.type === 'error' && frame.code === 'LLM_ERROR');
          await send(frame);
        }
      }
      if (isOver || !open.has(reader)) return;
      await send({ type: 'error', code: 'INTERNAL_ERROR', message: 'This conversation is gone.' });
    } catch (error) {
      await send(errorFrame(error, logger));
    }
  }

  /** Detaches all readers; the runs go on. */
  function leave(): void {
    isGone = true;
    const readers = [...open.keys()];
    open.clear();
    for (const reader of readers) void reader.cancel().catch(() => {});
  }

  return {
    send,

    /** Sends a turn from here to its end. Calls `onEnd` then, or when the client disconnects. */
    read(stream: FlowStream, { streamsResults = false, onEnd = () => {} }: ReadOptions = {}): void {
      const { id: conversationId } = stream.view.chat;
      const reader = stream.events.getReader();
      open.set(reader, conversationId);
      remember(conversationId);
      const projection = createChatSocketProjection({ conversationId, maxResultBytes, streamsResults });
      void deliver(reader, runProjection(projection, stream.view).push).finally(() => {
        open.delete(reader);
        onEnd();
      });
      // The client disconnected while its turn began.
      if (isGone) leave();
    },

    /** The chats that are being read. */
    chats: (): ChatId[] => [...new Set(open.values())],

    /** The chats that were read, the last one first. */
    known: (): ChatId[] => [...known].reverse(),

    reads: (chatId: ChatId): boolean => [...open.values()].includes(chatId),

    leave,
  };
}

/** @see createTurnReaders */
export type TurnReaders = ReturnType<typeof createTurnReaders>;
