import { brokenOffText } from '../../dialects/turn-text.ts';
import { type ChatId, type FlowEvent, isRunEnd, type UserPart } from '../../protocol/index.ts';
import type { ChatStatus } from '../../protocol/wire/chat/chat-status.ts';
import { runProjection } from '../../views/reader/projection.ts';
import { withResolvedEnds } from '../../views/reader/resolved-ends.ts';
import { contentBlocks } from './client/content-blocks.ts';
import type { StoredConversation, StoredMessage, ToolEvent } from './client/schema.ts';
import { formatFrameId } from './frame-id.ts';
import { createToolEventProjection } from './projection.ts';

/**
 * A conversation as it is stored, made from its log: each message as content blocks, in the order a live reader
 * saw them. A call whose outcome became known late has that outcome here; live, a call has one end only (A12). Text of a
 * model step that was broken off is left out once the step has begun again.
 *
 * @source A20-A22
 */
export function storedConversation(events: readonly FlowEvent[], chatId: ChatId): StoredMessage[] {
  const messages: { id: string; role: StoredMessage['role']; frames: ToolEvent[] }[] = [];
  const brokenOff = brokenOffText(events);
  const turn = runProjection(createToolEventProjection(chatId));

  for (const event of withResolvedEnds(events)) {
    if (brokenOff.has(event.seq)) continue;
    const frames = turn.push(event);
    switch (event.type) {
      case 'message-received': {
        messages.push({ id: event.messageId, role: 'user', frames: event.parts.flatMap(textFrame) });
        break;
      }
      case 'message-imported': {
        const { id, role, parts } = event.message;
        // Of its calls, this stream has reported nothing.
        const texts = parts.flatMap((part) => (isUserPart(part) ? textFrame(part) : []));
        messages.push({ id, role: role === 'user' ? role : 'assistant', frames: texts });
        break;
      }
      case 'history-cut': {
        const index = messages.findIndex(({ id }) => id === event.messageId);
        if (index !== -1) messages.length = index;
        break;
      }
      default: {
        if (event.type === 'run-started' && messages.at(-1)?.id !== event.messageId) {
          messages.push({ id: event.messageId, role: 'assistant', frames: [] });
        }
        messages.at(-1)?.frames.push(...frames);
      }
    }
  }
  return messages.map(({ frames, ...message }) => ({ ...message, content: contentBlocks(frames) }));
}

/** The same with what a client needs to follow it. @source A20, A22 */
export function conversationJson(events: readonly FlowEvent[], conversationId: ChatId): StoredConversation {
  const messages = storedConversation(events, conversationId);
  const lastEventId = lastFrameId(events, conversationId);
  const run = { status: statusOf(events) };
  return { conversationId, messages, run, lastEventId };
}

/** The id of the last frame of the last turn. */
function lastFrameId(events: readonly FlowEvent[], chatId: ChatId): string | undefined {
  const turn = runProjection(createToolEventProjection(chatId));
  let id: string | undefined;
  for (const event of events.slice(Math.max(0, events.findLastIndex(beginsTurn)))) {
    const count = turn.push(event).length;
    if (count > 0) id = formatFrameId(chatId, { seq: event.seq, index: count - 1 });
  }
  return id;
}

function beginsTurn({ type }: FlowEvent): boolean {
  return type === 'message-received' || type === 'history-cut';
}

/** Whether a run is going on, as of the last event. @source H4 */
function statusOf(events: readonly FlowEvent[]): ChatStatus {
  const last = events.findLast((event) => event.type === 'run-started' || isRunEnd(event));
  switch (last?.type) {
    case 'run-started':
      return 'active';
    case 'run-suspended':
      return 'waiting';
    case 'run-failed':
      return 'failed';
    default:
      return 'idle';
  }
}

function isUserPart(part: { readonly type: string }): part is UserPart {
  return part.type === 'text' || part.type === 'file';
}

/** A file is shown by its name: its content is not text. Data parts belong to the page that sent them. */
function textFrame(part: UserPart): ToolEvent[] {
  if (part.type === 'text') return [{ type: 'text_delta', content: part.text }];
  return part.type === 'file'
    ? [{ type: 'text_delta', content: `[${part.filename ?? part.mediaType}]` }]
    : [];
}
