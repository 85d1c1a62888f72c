import type { ApprovalFlow } from '../flow/approval-flow.ts';
import {
  type ChatId,
  CountersignError,
  createChatId,
  type Principal,
  parseChatId,
  parseMessageId,
  type RunOptions,
} from '../protocol/index.ts';
import { runtime } from '../runtime/runtime.ts';
import type { FlowStream } from '../views/flow-stream.ts';

/**
 * Sends one text as a new user message and opens the whole turn. The server names new chats, so a chat that a request
 * names must exist already. A message that was sent before begins nothing: its stream is a replay.
 *
 * @throws CountersignError `not-found`, `run-active`, `invalid-request`; `input-mismatch` for a message id that was used in
 *   another chat than the one that is named
 * @source H-Ids, B1, D2
 */
export async function beginTurn(
  flow: ApprovalFlow,
  request: {
    readonly principal: Principal;
    readonly text: string;
    /** The id that the client sent. Default: the chat of the message id, or a new one. */
    readonly chatId?: unknown;
    /** The id that the client sent. It is the key of the message. */
    readonly messageId?: string;
    readonly callOptions?: unknown;
    /** @see RunOptions.unsupportedByClient */
    readonly unsupportedByClient?: RunOptions['unsupportedByClient'];
    readonly via: string;
  },
): Promise<{ chatId: ChatId; stream: FlowStream }> {
  const { principal, text, via, unsupportedByClient, messageId: key } = request;
  const used = key === undefined ? undefined : await flow.chats.findMessage({ principal, key });
  const named = request.chatId === undefined ? undefined : parseChatId(request.chatId);
  if (used && named && used.chatId !== named) throw reusedMessageId(used.messageId);
  const chatId =
    named ?? used?.chatId ?? parseChatId(key ? await chatOfMessage(principal, key) : createChatId());
  const id = parseMessageId(key ?? crypto.randomUUID());
  const respond = flow.chats.respond({
    chatId,
    principal,
    trigger: 'submit-message',
    message: { id, parts: [{ type: 'text', text: text.toWellFormed() }] },
    key,
    mustExist: named !== undefined,
    options: unsupportedByClient ? { unsupportedByClient } : undefined,
    callOptions: request.callOptions,
    until: 'turn',
    via,
  });
  const stream = await respond.catch((error: unknown) => {
    // Another request with this message id, in another chat, was recorded first.
    throw CountersignError.is(error) && error.code === 'key-reused' ? reusedMessageId(id) : error;
  });
  return { chatId, stream };
}

/** The error for a message id that was used for another message. */
export function reusedMessageId(id: string): CountersignError {
  const problem = 'client_message_id was used for another message. Use a new one for each message.';
  return new CountersignError('input-mismatch', problem, { client_message_id: id });
}

/** The error for a request that does not fit its schema, with the field. */
export function notFitting(
  what: string,
  issue: { path: PropertyKey[]; message: string } | undefined,
): CountersignError {
  const place = issue && issue.path.length > 0 ? ` at ${issue.path.map(String).join('.')}` : '';
  return new CountersignError(
    'invalid-request',
    `${what} does not fit its schema${place}: ${issue?.message ?? ''}`,
  );
}

/** The chat that a message without one starts: the same if it is sent twice, and no other principal can name it. */
async function chatOfMessage({ id }: Principal, messageId: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(JSON.stringify([id, messageId])),
  );
  return runtime.toBase64url(new Uint8Array(digest));
}
