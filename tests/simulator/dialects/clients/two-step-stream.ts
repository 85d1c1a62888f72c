import { formatStreamId } from '../../../../lib/protocol/ids/stream-id.ts';
import { parseChatId, type RunId } from '../../../../lib/protocol/index.ts';
import type { DialectClient } from '../client.ts';
import { eventReader } from '../event-reader.ts';

const streamOf = (chatId: string, runId: string) => formatStreamId(parseChatId(chatId), runId as RunId);

/** Clients of the two-step stream. */
export const twoStepStream: DialectClient = {
  createReader(parts) {
    const stream = streamOf(parts.reading.chatId, parts.runId);
    return eventReader(parts, {
      place: (lastId) => ({
        path: `/api/chat/stream/${stream}?accept_approvals=1`,
        ...(lastId !== undefined && { headers: { 'last-event-id': lastId } }),
      }),
      placeOf: (_data, id) => id,
      endOf: (data) => ((data as { type: string }).type === 'done' ? 'over' : undefined),
      isOfRun: true,
      isNamed: true,
    });
  },
  hasStreamOfRun: true,
  namesItsEvents: true,
  send: ({ post, command }, message) =>
    post(command, '/api/chat/message', { chat_id: command.chatId, message }),
  spiedPaths: (chatId, runId) => [`/api/chat/stream/${streamOf(chatId, runId)}`],
};
