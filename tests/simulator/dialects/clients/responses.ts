import type { ResponseEvent } from '../../../../lib/plugins/responses/client/schema/event-schema.ts';
import { formatItemId, formatResponseId } from '../../../../lib/plugins/responses/ids.ts';
import { parseApprovalId, parseChatId, type RunId } from '../../../../lib/protocol/index.ts';
import type { DialectClient } from '../client.ts';
import { eventReader } from '../event-reader.ts';

const pathOf = (chatId: string, runId: string) =>
  `/v1/responses/${formatResponseId(parseChatId(chatId), runId as RunId)}`;

/** Clients of the responses endpoint. */
export const responses: DialectClient = {
  createReader(parts) {
    const path = pathOf(parts.reading.chatId, parts.runId);
    return eventReader(parts, {
      place: (last) => ({
        path: `${path}?stream=true${last === undefined ? '' : `&starting_after=${last}`}`,
      }),
      placeOf: (data) => String((data as ResponseEvent).sequence_number),
      endOf: (data) =>
        /^response[.](completed|incomplete|failed)$/.test((data as ResponseEvent).type) ? 'over' : undefined,
      isOfRun: true,
    });
  },
  hasStreamOfRun: true,
  send: ({ post, command, random }, input) =>
    post(command, '/v1/responses', { conversation: command.chatId, input, stream: random.chance(0.5) }),
  answer({ post, command, random }, { approvalId, approved }) {
    const chatId = parseChatId(command.chatId);
    const approval_request_id = formatItemId('mcp_approval_request', chatId, parseApprovalId(approvalId));
    const item = { type: 'mcp_approval_response', approval_request_id, approve: approved };
    return post(command, '/v1/responses', { input: [item], stream: random.chance(0.7) });
  },
  stop({ post, command }, runId) {
    // A response that has already ended is returned unchanged, and nothing is stopped.
    const isStopped = (json: unknown) => (json as { status?: string })?.status === 'incomplete';
    return post(command, `${pathOf(command.chatId, runId)}/cancel`, undefined, (status, json) =>
      status === 200 && isStopped(json) ? 204 : status,
    );
  },
  spiedPaths: (chatId, runId) => [pathOf(chatId, runId), `${pathOf(chatId, runId)}?stream=true`],
  pathOfRun: pathOf,
};
