import { Chat } from '@ai-sdk/react';
import {
  type ChatTransport,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
  WebSocketChatTransport,
} from 'ai';
import { checkResponseTiming, readRecording, recordTransport } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { amountsOf, nameOf, patterns, paymentScript } from '../support/answer-patterns.ts';
import { plain } from '../support/client-message.ts';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

type Connect = (url: string) => ChatTransport<UIMessage>;

/** The SDK's transports as templates configure them: a request has the last message and nothing before it. */
const transports: readonly (readonly [string, Connect])[] = [
  [
    'POST { id, message }',
    (url) =>
      new DefaultChatTransport({
        api: `${url}/api/chat`,
        prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, message: messages.at(-1) } }),
      }),
  ],
  [
    'POST { id, messages: [last] } with the other fields',
    (url) =>
      new DefaultChatTransport({
        api: `${url}/api/chat`,
        prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
          body: { id, trigger, messageId, messages: messages.slice(-1) },
        }),
      }),
  ],
  [
    'a frame with body: { message }',
    (url) =>
      new WebSocketChatTransport({
        url: `${url}/api/chat/socket`,
        prepareSendMessagesRequest: ({ messages }) => ({ messages: [], body: { message: messages.at(-1) } }),
      }),
  ],
  [
    'a frame with messages: [last]',
    (url) =>
      new WebSocketChatTransport({
        url: `${url}/api/chat/socket`,
        prepareSendMessagesRequest: ({ messages }) => ({ messages: messages.slice(-1) }),
      }),
  ],
];

/** A chat of `useChat`, which sends answers and outputs by the SDK's own predicates. */
function openChat(transport: ChatTransport<UIMessage>) {
  const lines: string[] = [];
  const chat = new Chat<UIMessage>({
    id: 'chat',
    transport: recordTransport(transport, { write: (line) => lines.push(line) }),
    sendAutomaticallyWhen: (options) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(options) ||
      lastAssistantMessageIsCompleteWithToolCalls(options),
  });
  onTestFinished(() => chat.dispose());
  return {
    chat,
    exchanges: () => readRecording(lines).exchanges,
    /** Resolves after this many responses, when the last one has ended. */
    async responses(count: number) {
      await waitFor(() => expect(readRecording(lines).exchanges).toHaveLength(count));
      await waitFor(() => expect(chat.status).toBe('ready'));
    },
  };
}

const played = patterns.filter((pattern) => ['yes, then yes', 'yes+yes', 'no+yes'].includes(nameOf(pattern)));

describe('a chat that sends only its last message [H1]', () => {
  it.each(
    transports.flatMap(([name, connect]) =>
      played.map((pattern) => [name, nameOf(pattern), pattern, connect] as const),
    ),
  )('%s: answers two calls %s in three responses', async (_name, _pattern, pattern, connect) => {
    const { url, ran } = await serveFixture(paymentScript(pattern));
    const { chat, exchanges, responses } = openChat(connect(url));
    const [first = false, second = false] = pattern.flat();
    await chat.sendMessage({ text: 'Pay.' });
    chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: first });
    await responses(2);
    chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: second });
    await responses(3);

    const chunks = exchanges().map((exchange) => exchange.chunks);
    expect(checkResponseTiming(chunks, { finished: true })).toEqual([]);
    expect(ran.map(({ input }) => (input as { amount: number }).amount)).toEqual(amountsOf(pattern));
    const stored = await (await fetch(`${url}/api/chat/chat`)).json();
    expect(stored.messages).toEqual(plain(chat.messages));
  });

  it.each(transports)('%s: hands over the output of a client tool', async (_name, connect) => {
    const { url } = await serveFixture([[{ call: 'theme', id: 't1', input: {} }], [{ text: 'Dark it is.' }]]);
    const { chat, responses } = openChat(connect(url));
    await chat.sendMessage({ text: 'Which theme?' });
    await chat.addToolOutput({ tool: 'theme', toolCallId: 't1', output: 'dark' });
    await responses(2);

    expect(chat.messages).toHaveLength(2);
    expect(JSON.stringify(chat.messages)).toContain('Dark it is.');
    const stored = await (await fetch(`${url}/api/chat/chat`)).json();
    expect(stored.messages).toEqual(plain(chat.messages));
  });

  it.each(transports)('%s: continues with the next message after an approval', async (_name, connect) => {
    const { url, ran } = await serveFixture([
      [{ call: 'pay', input: { to: 'alice', amount: 1 } }],
      [{ text: 'Paid.' }],
      [{ text: 'You are welcome.' }],
    ]);
    const { chat, exchanges, responses } = openChat(connect(url));
    await chat.sendMessage({ text: 'Pay.' });
    chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: true });
    await responses(2);
    await chat.sendMessage({ text: 'Thanks.' });

    expect(exchanges()).toHaveLength(3);
    expect(ran).toHaveLength(1);
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });
});
