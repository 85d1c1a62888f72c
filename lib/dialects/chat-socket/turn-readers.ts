import { type ChatId, errorFacts } from '../../protocol/index.ts';
import { readToEnd } from '../../server/read-to-end.ts';
import type { TextSocket } from '../../server/text-socket.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { projectStream } from '../../views/reader/project-stream.ts';
import type { Projection } from '../../views/reader/projection.ts';
import { errorFrame, formatServerFrame } from './frames.ts';
import { createChatSocketProjection } from './projection.ts';
import type { ServerFrameInput } from './schema.ts';
import type { ChatSocketSettings } from './settings.ts';

const defaultMaxResultBytes = 64 * 1024;

/** How many conversations a socket remembers after their turns have ended. */
const maxKnown = 100;

const generic: ServerFrameInput = {
  type: 'error',
  code: 'INTERNAL_ERROR',
  message: 'A part of this answer could not be shown. It continues.',
  recoverable: true,
};

type ReadOptions = { readonly streamsResults?: boolean; readonly onEnd?: () => void };

/** The turns that one socket reads, and the only function that sends to its client. */
export function createTurnReaders(socket: TextSocket, settings: ChatSocketSettings) {
  const { logger, maxResultBytes = defaultMaxResultBytes } = settings;
  const open = new Map<AbortController, ChatId>();
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

  /** A turn's frames to its end, however it ends. */
  function safeFrames(projection: Projection<ServerFrameInput>): Projection<ServerFrameInput> {
    let isOver = false;
    const isLast = (frame: ServerFrameInput) =>
      frame.type === 'complete' || (frame.type === 'error' && frame.code === 'LLM_ERROR');
    return {
      apply(item) {
        const frames = attempt(() => projection.apply(item)) ?? [generic];
        isOver ||= frames.some(isLast);
        return frames;
      },
      end: () =>
        isOver ? [] : [{ type: 'error', code: 'INTERNAL_ERROR', message: 'This conversation is gone.' }],
      fail: (error) => [errorFrame(error, logger)],
    };
  }

  /** Detaches all readers; the runs continue. */
  function leave(): void {
    isGone = true;
    for (const reader of open.keys()) reader.abort();
    open.clear();
  }

  return {
    send,

    /** Sends a turn from here to its end. Calls `onEnd` then, or when the client disconnects. */
    read(stream: FlowStream, { streamsResults = false, onEnd = () => {} }: ReadOptions = {}): void {
      const { id: conversationId } = stream.view.chat;
      const reader = new AbortController();
      open.set(reader, conversationId);
      remember(conversationId);
      const projection = createChatSocketProjection({ conversationId, maxResultBytes, streamsResults });
      const frames = projectStream(stream, safeFrames(projection));
      void readToEnd(frames, reader.signal, send).finally(() => {
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
