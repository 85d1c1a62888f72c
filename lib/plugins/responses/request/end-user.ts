import { type ChatId, type Principal, parseChatId } from '../../../protocol/index.ts';
import { runtime } from '../../../runtime/runtime.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** The id of a chat that was begun with a shared key for a named end user: longer than ids of any other form. */
const marked = /^eu-[\w-]{22}-[\w-]{22,}$/;

const markLength = 22;

/** Whom a request is for, as far as chats are concerned. */
export type EndUser = {
  /** False for a shared key without an identifier: nothing but an id can name a chat then. */
  readonly isKnown: boolean;
  /** What is hashed into ids that are derived for this person. */
  readonly seed: readonly string[];
  /** Marks the id of a new chat as this person's. */
  readonly mark: (id: string) => ChatId;
  /** Whether a chat of the principal is this person's. */
  readonly owns: (chatId: ChatId) => boolean;
};

/**
 * The person behind a request. With a key that serves many people, `safety_identifier` or `user` says who it is, and is
 * a part of the ids of the chats that are begun: so two people with one key never share a chat.
 *
 * @source ADR 0014.10
 */
export function endUserOf(
  principal: Principal,
  { safety_identifier, user }: Pick<ResponsesRequest, 'safety_identifier' | 'user'>,
): EndUser {
  if (principal.shared !== true) {
    return { isKnown: true, seed: [principal.id], mark: parseChatId, owns: () => true };
  }
  const name = safety_identifier || user;
  if (!name) {
    const owns = (chatId: ChatId) => !marked.test(chatId);
    return { isKnown: false, seed: [principal.id], mark: parseChatId, owns };
  }
  const seed = [principal.id, name];
  const prefix = `eu-${derivedId('end-user', seed).slice(0, markLength)}-`;
  return {
    isKnown: true,
    seed,
    mark: (id) => parseChatId(prefix + id),
    owns: (chatId) => chatId.startsWith(prefix),
  };
}

/** An id that the same values always lead to: 43 characters. No other principal can name it. */
export function derivedId(purpose: string, values: readonly string[]): string {
  return runtime.digest(JSON.stringify([purpose, ...values]));
}
