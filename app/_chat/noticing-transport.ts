import type { ChatTransport } from 'ai';
import type { ChatMessage } from './chat-message.ts';

/** What a request begins: a turn of its own, the next response of the turn, or a replay of it. */
export type RequestKind = 'turn' | 'response' | 'replay';

/**
 * A transport that says when a response begins, before its first chunk. The draft has to know: transient
 * parts carry no response they belong to.
 *
 * @param notice called once a request is sent; for a resume only when there is something to replay
 */
export function noticingTransport(
  transport: ChatTransport<ChatMessage>,
  notice: (kind: RequestKind) => void,
): ChatTransport<ChatMessage> {
  return {
    resumeStreamIsReplay: transport.resumeStreamIsReplay,
    sendMessages: (options) => {
      const continues = options.trigger === 'submit-message' && options.messages.at(-1)?.role === 'assistant';
      notice(continues ? 'response' : 'turn');
      return transport.sendMessages(options);
    },
    reconnectToStream: async (options) => {
      const stream = await transport.reconnectToStream(options);
      if (stream !== null) notice('replay');
      return stream;
    },
  };
}
