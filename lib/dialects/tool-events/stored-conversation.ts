import type { ChatId, FlowEvent, UserPart } from '../../protocol/index.ts';
import { withResolvedEnds } from '../../views/resolved-ends.ts';
import { contentBlocks } from './content-blocks.ts';
import { createToolEventMapping } from './mapping.ts';
import type { StoredMessage, ToolEvent } from './schema.ts';

/**
 * A conversation as it is stored, made from its log: each message as content blocks, in the order a live reader
 * saw them. A call whose outcome became known late has that outcome here; live, a call has one end only (A12).
 *
 * @source contract A20-A22
 */
export function storedConversation(events: readonly FlowEvent[], chatId: ChatId): StoredMessage[] {
  const messages: { id: string; role: StoredMessage['role']; frames: ToolEvent[] }[] = [];
  let framesOf = createToolEventMapping(chatId);

  for (const event of withResolvedEnds(events)) {
    switch (event.type) {
      case 'message-received': {
        const frames = event.parts.map((part): ToolEvent => ({ type: 'text_delta', content: wordsOf(part) }));
        messages.push({ id: event.messageId, role: 'user', frames });
        framesOf = createToolEventMapping(chatId);
        break;
      }
      case 'history-cut': {
        const index = messages.findIndex(({ id }) => id === event.messageId);
        if (index !== -1) messages.length = index;
        framesOf = createToolEventMapping(chatId);
        break;
      }
      default: {
        if (event.type === 'run-started' && messages.at(-1)?.id !== event.messageId) {
          messages.push({ id: event.messageId, role: 'assistant', frames: [] });
        }
        messages.at(-1)?.frames.push(...framesOf(event));
      }
    }
  }
  return messages.map(({ frames, ...message }) => ({ ...message, content: contentBlocks(frames) }));
}

/** A file is named: its content is no text. */
function wordsOf(part: UserPart): string {
  return part.type === 'text' ? part.text : `[${part.filename ?? part.mediaType}]`;
}
