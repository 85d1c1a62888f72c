import type { ChatId, EventOf, UserPart } from '../../../protocol/index.ts';
import { createTurnReader, type TurnItem } from '../../../views/reader/read-turn.ts';
import { refuseParam } from '../errors.ts';
import { outputText } from '../events/call-texts.ts';
import { formatAnswerId, formatCallId, formatItemId } from '../ids.ts';
import type { InputItem, InputItems } from './list-schema.ts';
import type { KnownResponse } from './read-response.ts';

const defaultLimit = 20;
const maxLimit = 100;

/**
 * A page of the items that a response's request added to the chat, the newest first.
 *
 * @param query `after`, an item's id; `limit`, 1 to 100, default 20; `order`, `asc` or `desc`
 * @throws CountersignError `invalid-request`, `not-found`
 * @source ADR 0014
 */
export function inputItemsPage({ chatId, runId, turn }: KnownResponse, query: URLSearchParams): InputItems {
  const readEvent = createTurnReader();
  const items = turn
    .map(readEvent)
    .flatMap((item) => (item.event.runId === runId ? (inputItem(chatId, item) ?? []) : []));
  if (orderOf(query) === 'desc') items.reverse();
  const after = query.get('after');
  const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== null && from === 0) throw refuseParam('not-found', 'after', `There is no item ${after}.`);
  const data = items.slice(from, from + limitOf(query));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < items.length,
  };
}

/** What an event says that a client sent. */
function inputItem(chatId: ChatId, { event, call }: TurnItem): InputItem | undefined {
  switch (event.type) {
    case 'message-received':
      return {
        type: 'message',
        id: formatItemId('message', chatId, event.seq),
        role: 'user',
        status: 'completed',
        content: event.parts.flatMap((part) => contentOf(part) ?? []),
      };
    case 'approval-answered':
      return answerItem(chatId, event);
    case 'tool-completed':
      if (call?.requested.executor !== 'client') return undefined;
      return {
        type: 'function_call_output',
        id: formatItemId('function_call_output', chatId, event.seq),
        call_id: formatCallId(chatId, event.toolCallId),
        output: outputText(call) ?? '',
        status: 'completed',
      };
    default:
      return undefined;
  }
}

function answerItem(chatId: ChatId, event: EventOf<'approval-answered'>): InputItem {
  const { approvalId, approved: approve, reason = null } = event;
  return {
    type: 'mcp_approval_response',
    id: formatAnswerId(chatId, approvalId),
    approval_request_id: formatItemId('mcp_approval_request', chatId, approvalId),
    approve,
    reason,
  };
}

/** Data parts belong to pages. */
function contentOf(part: UserPart): Extract<InputItem, { type: 'message' }>['content'][number] | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'file': {
      const { url, mediaType, filename } = part;
      if (mediaType.startsWith('image/')) return { type: 'input_image', image_url: url, detail: 'auto' };
      const place = url.startsWith('data:') ? { file_data: url } : { file_url: url };
      return { type: 'input_file', ...place, filename };
    }
    default:
      return undefined;
  }
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit');
  if (text === null) return defaultLimit;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxLimit) return limit;
  throw refuseParam('invalid-request', 'limit', `\`limit\` must be a number from 1 to ${maxLimit}.`);
}

function orderOf(query: URLSearchParams): 'asc' | 'desc' {
  const order = query.get('order') ?? 'desc';
  if (order === 'asc' || order === 'desc') return order;
  throw refuseParam('invalid-request', 'order', '`order` must be `asc` or `desc`.');
}
