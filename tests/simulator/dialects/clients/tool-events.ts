import type { StoredConversation, ToolEvent } from '../../../../lib/plugins/tool-events/client/schema.ts';
import type { DialectClient } from '../client.ts';
import { eventReader } from '../event-reader.ts';

const endpoint = '/api/dialects/tool-events';

/** Clients of the tool events. */
export const toolEvents: DialectClient = {
  createReader: (parts) =>
    eventReader(parts, {
      place: (lastId) => ({
        path: `${endpoint}/stream?conversationId=${parts.reading.chatId}`,
        ...(lastId !== undefined && { headers: { 'last-event-id': lastId } }),
      }),
      placeOf: (_data, id) => id,
      endOf(data) {
        const event = data as ToolEvent;
        if (event.type === 'error' && event.code === 'INTERNAL_ERROR')
          return event.retryable ? 'again' : 'gone';
        if (event.type === 'message_start' && event.messageId !== parts.reading.messageId) return 'not-last';
        return event.type === 'message_end' || event.type === 'error' ? 'over' : undefined;
      },
    }),
  send: ({ post, command }, message) => post(command, endpoint, { conversationId: command.chatId, message }),
  retry: ({ post, command }, toolCallId) =>
    post(command, `${endpoint}/retry`, { conversationId: command.chatId, toolCallId }),
  spiedPaths: (chatId) => [
    `${endpoint}?conversationId=${chatId}`,
    `${endpoint}/stream?conversationId=${chatId}`,
    `${endpoint}/result?conversationId=${chatId}&toolCallId=call-1`,
  ],
  stored: {
    path: (chatId) => `${endpoint}?conversationId=${chatId}`,
    /** After a regeneration, the conversation no longer contains the message. */
    partOf(json, reading): StoredConversation {
      const { run, ...stored } = json as StoredConversation;
      const messages = stored.messages.filter(({ id }) => id === reading.messageId);
      if (messages.length === 0) reading.left = 'not-last';
      const isLast = stored.messages.at(-1)?.id === reading.messageId;
      return { ...stored, messages, ...(isLast && run && { run }) };
    },
  },
};
