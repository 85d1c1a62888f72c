import { CountersignError } from '../errors/errors.ts';

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

/** One conversation: 1-128 of `A-Za-z0-9_-`, chosen by the client. */
export type ChatId = Brand<'ChatId'>;
/** One message of a chat: 1-128 characters. User ids come from the client, assistant ids from the flow. */
export type MessageId = Brand<'MessageId'>;
/** One continuous period of work, between a request and its end. */
export type RunId = Brand<'RunId'>;
/** One question. Created by the flow. */
export type ApprovalId = Brand<'ApprovalId'>;
/** One tool call. Unique in its chat. */
export type ToolCallId = Brand<'ToolCallId'>;
/** One standing approval. Created by the flow. */
export type GrantId = Brand<'GrantId'>;
/** One sign-in: 1-128 of `A-Za-z0-9_-`. */
export type SessionId = Brand<'SessionId'>;

/** Names that would collide with routes or object prototypes. */
const reserved = new Set(['message', 'stream', 'socket', '__proto__', 'constructor', 'prototype']);

/** Parses a chat id from an untrusted source. @throws CountersignError `invalid-request` @source H-Ids */
export function parseChatId(value: unknown): ChatId {
  if (typeof value === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(value) && !reserved.has(value)) {
    return value as ChatId;
  }
  throw new CountersignError(
    'invalid-request',
    'A chat id has 1 to 128 characters of A-Z, a-z, 0-9, _ and -, and is not a reserved word.',
  );
}

function parseShortId(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length >= 1 && value.length <= 256) return value;
  throw new CountersignError('invalid-request', `${name} must be a string of 1 to 256 characters.`);
}

/** @throws CountersignError `invalid-request` */
export function parseMessageId(value: unknown): MessageId {
  return parseShortId(value, 'A message id') as MessageId;
}

/** @throws CountersignError `invalid-request` */
export function parseApprovalId(value: unknown): ApprovalId {
  return parseShortId(value, 'An approval id') as ApprovalId;
}

/** @throws CountersignError `invalid-request` */
export function parseToolCallId(value: unknown): ToolCallId {
  return parseShortId(value, 'A tool call id') as ToolCallId;
}

/** @throws CountersignError `invalid-request` */
export function parseSessionId(value: unknown): SessionId {
  if (typeof value === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(value)) return value as SessionId;
  throw new CountersignError(
    'invalid-request',
    'A session id has 1 to 128 characters of A-Z, a-z, 0-9, _ and -.',
  );
}

/** Creates ids. `random` is a port, so that tests can make it deterministic. */
export function createIds(random: () => string) {
  return {
    message: () => `msg_${random()}` as MessageId,
    run: () => `run_${random()}` as RunId,
    approval: () => `apr_${random()}` as ApprovalId,
    grant: () => `grant_${random()}` as GrantId,
    /** An id of a plugin. @param prefix says of what */
    other: (prefix: string) => `${prefix}_${random()}`,
  };
}

export type Ids = ReturnType<typeof createIds>;
