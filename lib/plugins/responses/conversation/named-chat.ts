import { type ChatId, parseChatId } from '../../../protocol/index.ts';
import { refuseParam } from '../errors.ts';
import { chatOfId } from '../ids.ts';
import type { ReadInput } from '../request/input.ts';
import type { ResponsesRequest } from '../request/request-schema.ts';

/**
 * The chat that a request continues: of `conversation`, of `previous_response_id`, or of any id of ours in its
 * input; `undefined`: it begins one.
 *
 * @throws CountersignError `invalid-request`, `not-found`
 * @source C15, C18, ADR 0014
 */
export function chatOfRequest(request: ResponsesRequest, input: ReadInput): ChatId | undefined {
  const { conversation, previous_response_id: previous } = request;
  if (conversation) return parseChatId(typeof conversation === 'string' ? conversation : conversation.id);
  if (!previous) return input.chatId;
  const chatId = chatOfId(previous);
  if (chatId) return chatId;
  throw refuseParam('not-found', 'previous_response_id', `There is no response ${previous}.`);
}
