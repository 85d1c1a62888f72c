import { type ChatId, errorFacts } from '../../protocol/index.ts';
import type { SharedSettings } from '../../server/dialect.ts';
import { readToEnd } from '../../server/read-to-end.ts';
import type { TextSocket } from '../../server/text-socket.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { projectStream } from '../../views/reader/project-stream.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { ServerFrameInput, TurnFrame } from './client/schema.ts';
import { errorFrame, formatServerFrame, idsOf } from './frames.ts';
import { createChatSocketProjection, type MappingSettings } from './projection.ts';
import type { ChatSocketSettings } from './settings.ts';

const defaultMaxResultBytes = 64 * 1024;

/** How many conversations a socket remembers after their turns have ended. */
const maxKnown = 100;

const generic: TurnFrame = {
  type: 'error',
  code: 'INTERNAL_ERROR',
  message: 'A part of this answer could not be shown. It continues.',
  recoverable: true,
};

const gone: TurnFrame = { type: 'error', code: 'INTERNAL_ERROR', message: 'This conversation is gone.' };

type ReadOptions = Pick<MappingSettings, 'acceptsApprovals' | 'replay'> & {
  readonly streamsResults?: boolean;
  readonly onEnd?: () => void;
};

function inPlaceOf(frame: ServerFrameInput): TurnFrame {
  const id = 'message_id' in frame ? frame.message_id : undefined;
  return { ...generic, ...idsOf(frame), ...(id !== undefined && { message_id: id }) };
}

/** Filled in when the turn has begun. */
type TurnIds = { message_id?: string; readonly conversation_id: ChatId };

/** The turns that one socket reads, and the only function that sends to its client. */
export function createTurnReaders(
  socket: TextSocket,
  settings: Pick<SharedSettings, 'logger'> & ChatSocketSettings,
) {
  const { logger, maxResultBytes = defaultMaxResultBytes } = settings;
  const open = new Map<AbortController, TurnIds>();
  const known = new Set<ChatId>();
  let isGone = false;

  /** Sends a frame. One that cannot be made is logged, and a generic error takes its place. @source D14 */
  async function send(frame: ServerFrameInput): Promise<void> {
    // Not waited for when the socket is gone: closing detaches its readers.
    const text = attempt(logger, () => formatServerFrame(frame)) ?? formatServerFrame(inPlaceOf(frame));
    await socket.send(text).catch(() => {});
  }

  function remember(chatId: ChatId): void {
    known.delete(chatId);
    known.add(chatId);
    const oldest = known.values().next();
    if (known.size > maxKnown && !oldest.done) known.delete(oldest.value);
  }

  /** A turn's frames to its end, however it ends. */
  function safeFrames(projection: Projection<ServerFrameInput>, ids: TurnIds): Projection<ServerFrameInput> {
    let isOver = false;
    const isLast = (frame: ServerFrameInput) =>
      frame.type === 'complete' || (frame.type === 'error' && frame.code === 'LLM_ERROR');
    const named = (frame: TurnFrame) => ({ ...frame, ...ids });
    return {
      apply(item) {
        if (item.turn.messageId !== undefined) ids.message_id = item.turn.messageId;
        const frames = attempt(logger, () => projection.apply(item)) ?? [named(generic)];
        isOver ||= frames.some(isLast);
        return frames;
      },
      isDone: () => isOver,
      end: () => (isOver ? [] : [named(gone)]),
      fail: (error) => [named(errorFrame(error, logger))],
    };
  }

  function chats(): ChatId[] {
    return [...new Set([...open.values()].map(({ conversation_id }) => conversation_id))];
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
    read(
      stream: FlowStream,
      { streamsResults = false, onEnd = () => {}, ...options }: ReadOptions = {},
    ): void {
      const { id: conversationId } = stream.view.chat;
      const reader = new AbortController();
      const ids = { conversation_id: conversationId };
      open.set(reader, ids);
      remember(conversationId);
      const settings = { ...options, conversationId, maxResultBytes, streamsResults };
      const projection = createChatSocketProjection(settings);
      const frames = projectStream(stream, safeFrames(projection, ids));
      void readToEnd(frames, reader.signal, send).finally(() => {
        open.delete(reader);
        onEnd();
      });
      // The client disconnected while its turn began.
      if (isGone) leave();
    },

    /** Ends the reading of a turn, before it is read again. The run continues. */
    detach(chatId: ChatId, messageId: string): void {
      for (const [reader, { conversation_id, message_id }] of open) {
        if (conversation_id === chatId && message_id === messageId) reader.abort();
      }
    },

    /** The chats that are being read. */
    chats,

    /** The chats that were read, the last one first. */
    known: (): ChatId[] => [...known].reverse(),

    reads: (chatId: ChatId): boolean => chats().includes(chatId),

    leave,
  };
}

/** @see createTurnReaders */
export type TurnReaders = ReturnType<typeof createTurnReaders>;

function attempt<Result>(logger: SharedSettings['logger'], make: () => Result): Result | undefined {
  try {
    return make();
  } catch (error) {
    logger?.error('A frame could not be made.', { error: errorFacts(error) });
    return undefined;
  }
}
