import { DefaultChatTransport, type HttpChatTransportInitOptions, type UIMessage } from 'ai';
import { cancelRun } from '../client/cancel-run.ts';
import { sendingLostMessages } from '../client/lost-message.ts';
import { slimFieldsOf } from '../client/slim-request.ts';
import { createKeptDecisions, type DecisionToSend, type ResponseToAdd } from '../protocol/decisions.ts';
import { anything, checkSettings, func, listOf, type SettingCheck, text } from '../protocol/settings.ts';

export { createSendAutomaticallyWhen, sendAutomaticallyWhen } from './send-automatically-when.ts';

/** What `createSseTransport` takes: the SDK's own settings, and the tools that this client executes. */
export type SseTransportSettings<Message extends UIMessage = UIMessage> = Pick<
  HttpChatTransportInitOptions<Message>,
  'api' | 'headers' | 'credentials' | 'fetch' | 'body'
> & {
  /** Names of the tools without `execute` on the server, whose outputs are sent. Default: none. */
  readonly clientTools?: readonly string[];
};

/** The SDK's transport, a way to stop the run on the server, and a way to decide more than yes or no. */
export type SseTransport<Message extends UIMessage = UIMessage> = DefaultChatTransport<Message> & {
  /**
   * Stops the run; an open question is withdrawn. Aborting a request does not do that.
   *
   * @throws Error with the server's JSON error object as its message
   * @source contract H5
   */
  cancel(chatId: string): Promise<void>;

  /**
   * Keeps what was decided about a question, and sends it with the answer each time that the answer is sent: after a
   * lost connection too, when `useChat` knows no more than yes or no. Answer every question by it, edited or not; a
   * later decision takes the place of an earlier one. A reload forgets it, and asks again.
   *
   *     chat.addToolApprovalResponse(transport.decide({ id, approved: true, input: edited }));
   *
   * @returns what `addToolApprovalResponse` takes
   * @source contract H10
   */
  decide(decision: DecisionToSend): ResponseToAdd;
};

const checks = {
  api: text(),
  headers: anything,
  credentials: anything,
  fetch: func,
  body: anything,
  clientTools: listOf(text()),
} satisfies Record<keyof SseTransportSettings, SettingCheck>;

/**
 * The SDK's `DefaultChatTransport`, sending only what is new: the length of the chat does not make an answer larger.
 *
 * @param settings.api default `/api/chat`
 * @throws CountersignError `invalid-settings` for a setting that is misspelt or of the wrong kind
 * @source contract H1, H5
 */
export function createSseTransport<Message extends UIMessage = UIMessage>(
  settings: SseTransportSettings<Message> = {},
): SseTransport<Message> {
  checkSettings('createSseTransport', settings, checks);
  const { api = '/api/chat', clientTools = [], ...passedOn } = settings;
  const names = new Set(clientTools);
  const { decide, extrasOf } = createKeptDecisions();
  const transport = new DefaultChatTransport<Message>({
    ...passedOn,
    api,
    prepareSendMessagesRequest: ({ id, trigger, messageId, messages, body }) => ({
      body: {
        ...body,
        id,
        trigger,
        ...slimFieldsOf({ trigger, messageId, messages, clientTools: names, extrasOf }),
      },
    }),
  });
  const cancel = (chatId: string) => cancelRun({ ...passedOn, api }, chatId);
  const sendMessages = sendingLostMessages<Message>(transport.sendMessages.bind(transport));
  return Object.assign(transport, { sendMessages, cancel, decide });
}
