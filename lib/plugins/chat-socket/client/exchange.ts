import { createEvents } from '../../../dialects/client/events.ts';
import { type ChatSocketError, refusalOf } from './error.ts';
import type { ClientFrame, ServerFrame } from './schema.ts';

/** The frames that begin or continue the reading of a turn. */
export type ReadingFrame = Extract<ClientFrame, { type: 'message' | 'resume' | 'tool_approval_response' }>;

/** One request and the frames of its turn, from then to the end of the turn. */
export type Exchange = {
  readonly frame: ReadingFrame;
  readonly frames: AsyncIterable<ServerFrame>;
  /** The turn that it reads, once that is known. */
  readonly turn: () => { readonly messageId: string; readonly conversationId: string } | undefined;
  /** @returns whether the frame belongs to this request */
  take(frame: ServerFrame): boolean;
  fail(error: ChatSocketError): void;
  isOver(): boolean;
  /** The request is sent again: its first answer may have been the last frame that was lost. */
  repeat(): ReadingFrame;
};

/** @param messageId of an answer: the turn that asked, if it is known */
export function createExchange(
  frame: ReadingFrame,
  known?: { readonly messageId: string; readonly conversationId: string },
): Exchange {
  const events = createEvents<ServerFrame>();
  let turn = known;
  let isOver = false;
  let isRepeated = false;

  function end(error?: ChatSocketError): void {
    isOver = true;
    events.end(error);
  }

  /** Binds this request to the turn that the server has begun to send for it. */
  function begin(started: Extract<ServerFrame, { type: 'started' }>): void {
    const { message_id: messageId, conversation_id: conversationId } = started;
    if (turn || messageId === undefined || conversationId === undefined) return;
    if (isStartOf(frame, started)) turn = { messageId, conversationId };
  }

  return {
    frame,
    frames: events,
    turn: () => turn,
    take(received) {
      if (received.type === 'started') begin(received);
      const id = 'message_id' in received ? received.message_id : undefined;
      if (id === undefined) {
        if (received.type !== 'error' || !isRefusalOf(frame, received)) return false;
        // It was recorded before the connection was lost.
        if (isRepeated && received.code === 'ALREADY_ANSWERED' && turn) return true;
        end(refusalOf(received));
        return true;
      }
      if (id !== turn?.messageId) return false;
      events.push(received);
      if (isLast(received)) end();
      return true;
    },
    fail: end,
    isOver: () => isOver,
    repeat() {
      isRepeated = true;
      return frame;
    },
  };
}

function isStartOf(frame: ReadingFrame, started: Extract<ServerFrame, { type: 'started' }>): boolean {
  if (frame.type === 'message') return frame.client_message_id === started.client_message_id;
  if (frame.type === 'tool_approval_response') return started.replay !== true;
  const { conversation_id, message_id = started.message_id } = frame;
  return conversation_id === started.conversation_id && message_id === started.message_id;
}

function isRefusalOf(frame: ReadingFrame, refusal: Extract<ServerFrame, { type: 'error' }>): boolean {
  if (frame.type === 'message') return frame.client_message_id === refusal.client_message_id;
  if (frame.type === 'tool_approval_response') return frame.approval_id === refusal.approval_id;
  return refusal.client_message_id === undefined && frame.conversation_id === refusal.conversation_id;
}

/** `complete`, or an error after which nothing of the turn follows. */
function isLast(frame: ServerFrame): boolean {
  if (frame.type === 'error') return frame.tool_call_id === undefined && frame.recoverable !== true;
  return frame.type === 'complete';
}
