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
import { nullIfNotFound } from '../../../server/errors.ts';
import { derivedId, type EndUser } from './end-user.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** What an `Idempotency-Key` makes of a request. */
export type Once = {
  /** Of the chat, if the request begins one. No other principal can name it. */
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

/** True for the message of a request with the same key, whatever its body was. */
export function hasKeyOf({ id }: Once, messageId: MessageId): boolean {
  return messageId.startsWith(`${id}.`);
}

/**
 * Refuses a key that was used in this chat for a message of another request.
 *
 * @throws CountersignError `key-reused`
 * @source C16, ADR 0014.14
 */
export async function assertSameRequest(
  flow: ApprovalFlow,
  where: { readonly principal: Principal; readonly chatId: ChatId },
  once: Once,
): Promise<void> {
  const events = (await flow.timeline(where).catch(nullIfNotFound)) ?? [];
  const isReused = events.some(
    (event) =>
      event.type === 'message-received' &&
      hasKeyOf(once, event.messageId) &&
      event.messageId !== once.messageId,
  );
  if (!isReused) return;
  throw new CountersignError(
    'key-reused',
    'This Idempotency-Key was used for another request. Use a new key for each request.',
    { param: 'Idempotency-Key' },
  );
}
