import type { ChatTransport, UIMessage } from 'ai';
import { isRecord, parseJson } from '../../protocol/json.ts';
import { begun } from './begun.ts';

type SendMessages<Message extends UIMessage> = ChatTransport<Message>['sendMessages'];

/**
 * Lets `regenerate` of `useChat` retry a chat's first message that did not arrive. A regenerate starts no chat, so
 * where the server has no such chat, this sends the message as a new one.
 *
 * @param send the transport's own `sendMessages`
 * @source H7, ADR 0012
 */
export function sendingLostMessages<Message extends UIMessage>(
  send: SendMessages<Message>,
): SendMessages<Message> {
  return async (options) => {
    const { trigger, messages } = options;
    const mayBeLost = trigger === 'regenerate-message' && messages.every(({ role }) => role !== 'assistant');
    if (!mayBeLost) return send(options);
    try {
      return await begun(await send(options));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return send({ ...options, trigger: 'submit-message', messageId: undefined });
    }
  };
}

/** The server's refusals are errors with its JSON as their message, over both transports. */
function isNotFound(error: unknown): boolean {
  const body = error instanceof Error ? parseJson(error.message) : undefined;
  return isRecord(body) && isRecord(body.error) && body.error.code === 'not-found';
}
