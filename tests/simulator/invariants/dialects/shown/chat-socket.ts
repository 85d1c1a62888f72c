import {
  emptySocketTurn,
  reduceSocketFrame,
  type SocketToolCall,
} from '../../../../../lib/plugins/chat-socket/client/reducer.ts';
import { type ServerFrame, serverFrameSchema } from '../../../../../lib/plugins/chat-socket/client/schema.ts';
import type { CallState } from '../turn-facts.ts';
import type { DialectRules } from './shown.ts';

const states: Record<SocketToolCall['status'], CallState | 'open'> = {
  completed: 'done',
  failed: 'failed',
  cancelled: 'stopped',
  running: 'open',
  asked: 'open',
};

/** What clients of the chat socket get. */
export const chatSocket: DialectRules = {
  schema: serverFrameSchema,
  shownBy({ frames }) {
    const turn = frames.map(({ data }) => data as ServerFrame).reduce(reduceSocketFrame, emptySocketTurn);
    const calls = [...turn.calls.values()].map(({ id, status }) => [id, states[status]] as const);
    return { text: turn.text, calls: new Map(calls) };
  },
  /** It announces a call when it starts or is asked about, and sends nothing about a call that had neither. */
  mayBeAbsent: (toolCallId, { events }) =>
    !events.some(
      (event) =>
        (event.type === 'tool-started' || event.type === 'approval-requested') &&
        event.toolCallId === toolCallId,
    ),
};
