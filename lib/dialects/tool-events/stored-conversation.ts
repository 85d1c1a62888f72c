import type { ChatId, FlowEvent, UserPart } from '../../protocol/index.ts';
import { runProjection } from '../../views/reader/projection.ts';
import { withResolvedEnds } from '../../views/reader/resolved-ends.ts';
import { contentBlocks } from './content-blocks.ts';
import { createToolEventProjection } from './projection.ts';
import type { StoredMessage, ToolEvent } from './schema.ts';

/**
 * A conversation as it is stored, made from its log: each message as content blocks, in the order a live reader
 * saw them. A call whose outcome became known late has that outcome here; live, a call has one end only (A12).
 *
 * @source A20-A22
 */
export function storedConversation(events: readonly FlowEvent[], chatId: ChatId): StoredMessage[] {
  const messages: { id: string; role: StoredMessage['role']; frames: ToolEvent[] }[] = [];
  let turn = runProjection(createToolEventProjection(chatId));

  for (const event of withResolvedEnds(events)) {
    switch (event.type) {
      case 'message-received': {
        const frames = event.parts.flatMap(textFrame);
        messages.push({ id: event.messageId, role: 'user', frames });
        turn = runProjection(createToolEventProjection(chatId));
        break;
      }
      case 'message-imported': {
        const { id, role, parts } = event.message;
        // Of its calls, this stream has reported nothing.
        const frames = parts.flatMap((part) => (isUserPart(part) ? textFrame(part) : []));
        messages.push({ id, role: role === 'user' ? role : 'assistant', frames });
        break;
      }
      case 'history-cut': {
        const index = messages.findIndex(({ id }) => id === event.messageId);
        if (index !== -1) messages.length = index;
        turn = runProjection(createToolEventProjection(chatId));
        break;
      }
      default: {
        if (event.type === 'run-started' && messages.at(-1)?.id !== event.messageId) {
          messages.push({ id: event.messageId, role: 'assistant', frames: [] });
        }
        messages.at(-1)?.frames.push(...turn.push(event));
      }
    }
  }
  return messages.map(({ frames, ...message }) => ({ ...message, content: contentBlocks(frames) }));
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
