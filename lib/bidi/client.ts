import {
  type HttpChatTransportInitOptions,
  type UIMessage,
  WebSocketChatTransport,
  type WebSocketChatTransportInitOptions,
} from 'ai';
import { begun } from '../client/transport/begun.ts';
import { cancelRun } from '../client/transport/cancel-run.ts';
import {
  type AnswerToSend,
  createKeptAnswers,
  type ResponseToAdd,
} from '../client/transport/kept-answers.ts';
import { sendingLostMessages } from '../client/transport/lost-message.ts';
import { slimFieldsOf } from '../client/transport/slim-request.ts';
import { anything, checkSettings, func, listOf, type SettingCheck, text } from '../protocol/settings.ts';

export { createSendAutomaticallyWhen, sendAutomaticallyWhen } from './send-automatically-when.ts';

/** Settings of `createBidiTransport`: the SDK's own settings, and the address of the chat API. */
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

/** The SDK's transport, with a method to stop the run on the server and one for answers with edits. */
export type BidiTransport<Message extends UIMessage = UIMessage> = WebSocketChatTransport<Message> & {
  /**
   * Stops the run over HTTP and cancels its open question. An `abort` frame only stops reading it.
   *
   * @throws Error with the server's JSON error object as its message
   * @source H5
   */
  cancel(chatId: string): Promise<void>;

  /**
   * Keeps an answer, and sends it with every attempt to send its answer, even after a lost connection, when `useChat`
   * holds only yes or no. Use it for every answer, with or without edits. A later answer replaces an earlier one. A
   * reload forgets answers, and the question is asked again.
   *
   *     chat.addToolApprovalResponse(transport.keepAnswer({ id, approved: true, input: edited }));
   *
   * @returns what `addToolApprovalResponse` takes
   * @source H10
   */
  keepAnswer(answer: AnswerToSend): ResponseToAdd;
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
 * The SDK's `WebSocketChatTransport`, which sends only new content, in the frame's `body`. `messages` holds one
 * placeholder, because the SDK's frame requires a message.
 *
 * @param settings.url default `/api/chat/socket`, relative to the page
 * @param settings.api the chat API for `cancel`; default `/api/chat`
 * @throws CountersignError `invalid-settings` for a setting that is misspelled or of the wrong type
 * @source H1, H3, H5
 */
export function createBidiTransport<Message extends UIMessage = UIMessage>(
  settings: BidiTransportSettings<Message> = {},
): BidiTransport<Message> {
  checkSettings('createBidiTransport', settings, checks);
  const { url = '/api/chat/socket', api = '/api/chat', clientTools = [], ...rest } = settings;
  const { credentials, fetch, ...passedOn } = rest;
  const names = new Set(clientTools);
  const { keep, extrasOf } = createKeptAnswers();
  const transport = new WebSocketChatTransport<Message>({
    ...passedOn,
    url,
    prepareSendMessagesRequest: ({ trigger, messageId, messages, body }) => ({
      messages: messages.slice(-1).map(stubOf),
      body: { ...body, ...slimFieldsOf({ trigger, messageId, messages, clientTools: names, extrasOf }) },
    }),
  });
  const chatApi = { api, credentials, fetch, headers: passedOn.headers };
  const send = transport.sendMessages.bind(transport);
  const sendMessages = sendingLostMessages<Message>(async (options) => {
    const reply = await send(options);
    // The frame of an answer may wait in a connection that hangs. As over HTTP, there is a reply when the response begins.
    return options.messages.at(-1)?.role === 'assistant' ? begun(reply) : reply;
  });
  const cancel = (chatId: string) => cancelRun(chatApi, chatId);
  return Object.assign(transport, { sendMessages, cancel, keepAnswer: keep });
}

/** Enough for a well-formed frame. TypeScript cannot build a generic message, and the server uses no content of it. */
function stubOf<Message extends UIMessage>({ id, role }: Message): Message {
  return { id, role, parts: [{ type: 'text', text: '' }] } as unknown as Message;
}
