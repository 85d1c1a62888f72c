import type { ApprovalFlow } from '../flow/approval-flow.ts';
import {
  type ChatId,
  CountersignError,
  createChatId,
  type Principal,
  parseChatId,
  parseMessageId,
} from '../protocol/index.ts';
import type { FlowStream } from '../views/flow-stream.ts';

/**
 * Sends one text as a new user message and opens the whole turn. The server names new chats, so a chat that a request
 * names must exist already.
 *
 * @throws CountersignError `not-found`, `run-active`, `invalid-request`
 * @source H-Ids
 */
export async function beginTurn(
  flow: ApprovalFlow,
  request: {
    readonly principal: Principal;
    readonly text: string;
    readonly chatId?: unknown;
    readonly messageId?: string;
    /** Default: when a chat is named. */
    readonly mustExist?: boolean;
    readonly callOptions?: unknown;
    readonly via: string;
  },
): Promise<{ chatId: ChatId; stream: FlowStream }> {
  const { principal, text, via, messageId = crypto.randomUUID() } = request;
  const chatId = parseChatId(request.chatId ?? createChatId());
  const stream = await flow.respond({
    chatId,
    principal,
    trigger: 'submit-message',
    message: { id: parseMessageId(messageId), parts: [{ type: 'text', text: text.toWellFormed() }] },
    mustExist: request.mustExist ?? request.chatId !== undefined,
    ...(request.callOptions !== undefined && { callOptions: request.callOptions }),
    until: 'turn',
    via,
  });
  return { chatId, stream };
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
