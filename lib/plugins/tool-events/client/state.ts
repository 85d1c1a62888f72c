import { contentBlocks } from './content-blocks.ts';
import { noToolInvocations, reduceToolEvent, type ToolInvocations } from './reducer.ts';
import type { ContentBlock, ToolEvent } from './schema.ts';

/** What a client knows of the last message of its conversation. */
export type ToolEventsClientState = {
  /** Absent until the first message has begun. */
  readonly conversationId?: string;
  readonly messageId?: string;
  /** The message as it will be stored, so far. */
  readonly content: readonly ContentBlock[];
  readonly invocations: ToolInvocations;
  /** The open question. */
  readonly asked?: Extract<ToolEvent, { type: 'approval_request' }>;
  /** From the request on until the message ends; also while a question waits. */
  readonly isRunning: boolean;
  /** Why the message failed, in a sentence. */
  readonly failure?: string;
};

/** A client before its first message. */
export const emptyToolEventsClientState: ToolEventsClientState = {
  content: [],
  invocations: noToolInvocations,
  isRunning: false,
};

/** The state after one more frame. Pure. `message_start` begins a message, or begins the same one again. @source A18 */
export function reduceToolEventsClient(
  state: ToolEventsClientState,
  frame: ToolEvent,
): ToolEventsClientState {
  if (frame.type === 'message_start') {
    const { conversationId, messageId } = frame;
    return { ...emptyToolEventsClientState, conversationId, messageId, isRunning: true };
  }
  const next = {
    ...state,
    content: withFrame(state.content, frame),
    invocations: reduceToolEvent(state.invocations, frame),
  };
  switch (frame.type) {
    case 'approval_request':
      return { ...next, asked: frame };
    case 'tool_call_start':
      // The question was answered or withdrawn: the call's state replaces it.
      return frame.toolCallId === state.asked?.toolCallId ? { ...next, asked: undefined } : next;
    case 'message_end':
      return { ...next, asked: undefined, isRunning: false };
    case 'error':
      return { ...next, asked: undefined, isRunning: false, failure: frame.message };
    default:
      return next;
  }
}

/** The content after one more frame. Costs as much as the last block, not the message. */
export function withFrame(content: readonly ContentBlock[], frame: ToolEvent): readonly ContentBlock[] {
  const [block] = contentBlocks([frame]);
  if (!block) return content;
  const last = content.at(-1);
  if (block.type !== 'text' || last?.type !== 'text') return [...content, block];
  return [...content.slice(0, -1), { type: 'text', text: last.text + block.text }];
}
