import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import {
  type ChatId,
  CountersignError,
  canonicalJson,
  type MessageId,
  type Principal,
  parseMessageId,
} from '../../../protocol/index.ts';
import { runtime } from '../../../runtime/runtime.ts';
import { derivedId, type EndUser } from '../request/end-user.ts';
import type { ResponsesRequest } from '../request/request-schema.ts';

/** What an `Idempotency-Key` makes of a request. */
export type Once = {
  /** The key, and the id of the chat if the request begins one. No other principal can name it. */
  readonly id: string;
  /** Of the message: the same for the same request, streamed or not. */
  readonly messageId: MessageId;
};

/**
 * The ids of a request with an `Idempotency-Key`: sent twice, it begins one chat, and one turn in it.
 *
 * @source C17
 */
export function onceOf(
  endUser: EndUser,
  { stream: _stream, ...body }: ResponsesRequest,
  key: string | null,
): Once | undefined {
  if (key === null) return undefined;
  const id = derivedId('idempotency-key', [...endUser.seed, key]);
  return { id, messageId: parseMessageId(`${id}.${runtime.digest(canonicalJson(body))}`) };
}

/**
 * The chat to which this request was sent before.
 *
 * @returns `undefined` for a new key
 * @throws CountersignError `key-reused` if the key belongs to another request
 * @source C16, ADR 0014.14
 */
export async function chatOfKey(
  flow: ApprovalFlow,
  principal: Principal,
  { id: key, messageId }: Once,
): Promise<ChatId | undefined> {
  const used = await flow.chats.findMessage({ principal, key });
  if (!used || used.messageId === messageId) return used?.chatId;
  throw new CountersignError(
    'key-reused',
    'This Idempotency-Key was used for another request. Use a new key for each request.',
    { param: 'Idempotency-Key' },
  );
}
