import { DefaultChatTransport, type HttpChatTransportInitOptions, type UIMessage } from 'ai';
import { cancelRun } from '../vocabulary/cancel-run.ts';
import { slimFieldsOf } from '../vocabulary/slim-request.ts';

export { createSendAutomaticallyWhen, sendAutomaticallyWhen } from './send-automatically-when.ts';

/** What `createSseTransport` takes: the SDK's own settings, and the tools that this client executes. */
export type SseTransportSettings<Message extends UIMessage = UIMessage> = Pick<
  HttpChatTransportInitOptions<Message>,
  'api' | 'headers' | 'credentials' | 'fetch' | 'body'
> & {
  /** Names of the tools without `execute` on the server, whose outputs are sent. Default: none. */
  readonly clientTools?: readonly string[];
};

/** The SDK's transport, and a way to stop the run on the server. */
export type SseTransport<Message extends UIMessage = UIMessage> = DefaultChatTransport<Message> & {
  /**
   * Stops the run; an open question is withdrawn. Aborting a request does not do that.
   *
   * @throws Error with the server's JSON error object as its message
   * @source contract H5
   */
  cancel(chatId: string): Promise<void>;
};

/**
 * The SDK's `DefaultChatTransport`, sending only what is new: the length of the chat does not make an answer larger.
 *
 * @param settings.api default `/api/chat`
 * @source contract H1, H5
 */
export function createSseTransport<Message extends UIMessage = UIMessage>(
  settings: SseTransportSettings<Message> = {},
): SseTransport<Message> {
  const { api = '/api/chat', clientTools = [], ...passedOn } = settings;
  const names = new Set(clientTools);
  const transport = new DefaultChatTransport<Message>({
    ...passedOn,
    api,
    prepareSendMessagesRequest: ({ id, trigger, messageId, messages, body }) => ({
      body: { ...body, id, trigger, ...slimFieldsOf({ trigger, messageId, messages, clientTools: names }) },
    }),
  });
  return Object.assign(transport, { cancel: (chatId: string) => cancelRun({ ...passedOn, api }, chatId) });
}
