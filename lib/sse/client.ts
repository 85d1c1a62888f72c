import { DefaultChatTransport, type HttpChatTransportInitOptions, type UIMessage } from 'ai';
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

/** Settings of `createSseTransport`: the SDK's own settings, and the tools that this client executes. */
export type SseTransportSettings<Message extends UIMessage = UIMessage> = Pick<
  HttpChatTransportInitOptions<Message>,
  'api' | 'headers' | 'credentials' | 'fetch' | 'body'
> & {
  /** Names of the tools without `execute` on the server, whose outputs are sent. Default: none. */
  readonly clientTools?: readonly string[];
};

/** The SDK's transport, with a method to stop the run on the server and one for answers with edits. */
export type SseTransport<Message extends UIMessage = UIMessage> = DefaultChatTransport<Message> & {
  /**
   * Stops the run and cancels its open question. Aborting a request does not stop the run.
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
  api: text(),
  headers: anything,
  credentials: anything,
  fetch: func,
  body: anything,
  clientTools: listOf(text()),
} satisfies Record<keyof SseTransportSettings, SettingCheck>;

/**
 * The SDK's `DefaultChatTransport`, which sends only new content: the size of a request does not grow with the chat.
 *
 * @param settings.api default `/api/chat`
 * @throws CountersignError `invalid-settings` for a setting that is misspelled or of the wrong type
 * @source H1, H5
 */
export function createSseTransport<Message extends UIMessage = UIMessage>(
  settings: SseTransportSettings<Message> = {},
): SseTransport<Message> {
  checkSettings('createSseTransport', settings, checks);
  const { api = '/api/chat', clientTools = [], ...passedOn } = settings;
  const names = new Set(clientTools);
  const { keep, extrasOf } = createKeptAnswers();
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
  return Object.assign(transport, { sendMessages, cancel, keepAnswer: keep });
}
