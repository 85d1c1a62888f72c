import {
  type HttpChatTransportInitOptions,
  type UIMessage,
  WebSocketChatTransport,
  type WebSocketChatTransportInitOptions,
} from 'ai';
import { cancelRun } from '../client/cancel-run.ts';
import { sendingLostMessages } from '../client/lost-message.ts';
import { slimFieldsOf } from '../client/slim-request.ts';
import { createKeptDecisions, type DecisionToSend, type ResponseToAdd } from '../protocol/decisions.ts';
import { anything, checkSettings, func, listOf, type SettingCheck, text } from '../protocol/settings.ts';

export { createSendAutomaticallyWhen, sendAutomaticallyWhen } from './send-automatically-when.ts';

/** What `createBidiTransport` takes: the SDK's own settings, and where the chat API is. */
export type BidiTransportSettings<Message extends UIMessage = UIMessage> = Partial<
  Pick<
    WebSocketChatTransportInitOptions<Message>,
    'url' | 'protocols' | 'params' | 'headers' | 'body' | 'webSocket'
  >
> &
  Pick<HttpChatTransportInitOptions<Message>, 'api' | 'credentials' | 'fetch'> & {
    /** Names of the tools without `execute` on the server, whose outputs are sent. Default: none. */
    readonly clientTools?: readonly string[];
  };

/** The SDK's transport, a way to stop the run on the server, and a way to decide more than yes or no. */
export type BidiTransport<Message extends UIMessage = UIMessage> = WebSocketChatTransport<Message> & {
  /**
   * Stops the run over HTTP; an open question is withdrawn. An `abort` frame only detaches its reader.
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
  url: anything,
  protocols: anything,
  params: anything,
  headers: anything,
  body: anything,
  webSocket: anything,
  api: text(),
  credentials: anything,
  fetch: func,
  clientTools: listOf(text()),
} satisfies Record<keyof BidiTransportSettings, SettingCheck>;

/**
 * The SDK's `WebSocketChatTransport`, sending only what is new: the slim fields lie in the frame's `body`, and
 * `messages` holds one stub, because the SDK's frame must not be without messages.
 *
 * @param settings.url default `/api/chat/socket`, relative to the page
 * @param settings.api the chat API for `cancel`; default `/api/chat`
 * @throws CountersignError `invalid-settings` for a setting that is misspelt or of the wrong kind
 * @source contract H1, H3, H5
 */
export function createBidiTransport<Message extends UIMessage = UIMessage>(
  settings: BidiTransportSettings<Message> = {},
): BidiTransport<Message> {
  checkSettings('createBidiTransport', settings, checks);
  const { url = '/api/chat/socket', api = '/api/chat', clientTools = [], ...rest } = settings;
  const { credentials, fetch, ...passedOn } = rest;
  const names = new Set(clientTools);
  const { decide, extrasOf } = createKeptDecisions();
  const transport = new WebSocketChatTransport<Message>({
    ...passedOn,
    url,
    prepareSendMessagesRequest: ({ trigger, messageId, messages, body }) => ({
      messages: messages.slice(-1).map(stubOf),
      body: { ...body, ...slimFieldsOf({ trigger, messageId, messages, clientTools: names, extrasOf }) },
    }),
  });
  const chatApi = { api, credentials, fetch, headers: passedOn.headers };
  const sendMessages = sendingLostMessages<Message>(transport.sendMessages.bind(transport));
  const cancel = (chatId: string) => cancelRun(chatApi, chatId);
  return Object.assign(transport, { sendMessages, cancel, decide });
}

/**
 * An id and a role: enough for the frame to be well formed, and nothing the server would take. Any message type has
 * these fields, but TypeScript cannot build a generic one from them.
 */
function stubOf<Message extends UIMessage>({ id, role }: Message): Message {
  return { id, role, parts: [{ type: 'text', text: '' }] } as unknown as Message;
}
