import { Chat } from '@ai-sdk/react';
import {
  type ChatTransport,
  DefaultChatTransport,
  type UIMessage,
  type UIMessageChunk,
  WebSocketChatTransport,
} from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { collect, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { parseChatId } from '../../lib/protocol/index.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, lasting } from '../support/flow-fixture.ts';
import { stoppedClock } from '../support/stopped-clock.ts';
import { sendAnyAnswer } from './rejected/predicate-without-open-check.ts';
import { serverOfTwoQuestions } from './server-of-two-questions.ts';

const { clause } = adr('0003-sse-and-bidi.md');

type Transport = ChatTransport<UIMessage>;
type Predicate = (question: { messages: UIMessage[] }) => boolean;

const twoQuestions: ScriptedStep[] = [
  [{ text: 'Let me look.' }, { call: 'search', input: { query: 'users' } }],
  [{ text: 'Found one.' }, { call: 'pay', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'Paid.' }],
];

const transports: readonly [string, (url: string) => Transport, Predicate][] = [
  ['SSE', (url) => new DefaultChatTransport({ api: `${url}/api/chat` }), sse.sendAutomaticallyWhen],
  [
    'BIDI',
    (url) => new WebSocketChatTransport({ url: `${url.replace('http', 'ws')}/api/chat/socket` }),
    bidi.sendAutomaticallyWhen,
  ],
];

async function served(script: ScriptedStep[] = twoQuestions) {
  const fixture = flowFixture(script, { clock: stoppedClock });
  const server = await serveFlow(fixture.flow, { authorize: () => ada });
  return {
    ...fixture,
    url: server.url,
    close: async () => {
      await server.close();
      await fixture.flow.close();
    },
  };
}

/** Counts the requests that a transport sends. */
function counted(transport: Transport) {
  const counter = { requests: 0 };
  const counting: Transport = {
    sendMessages: (options) => {
      counter.requests += 1;
      return transport.sendMessages(options);
    },
    reconnectToStream: (options) => transport.reconnectToStream(options),
  };
  return { counter, transport: counting };
}

const openQuestions = (chat: Chat<UIMessage>) =>
  (chat.messages.at(-1)?.parts ?? []).flatMap((part) =>
    'approval' in part && part.state === 'approval-requested' ? [part.approval.id] : [],
  );
const textOf = (chat: Chat<UIMessage>) =>
  (chat.messages.at(-1)?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Answers the open question, and waits for the response to end. */
async function approve(chat: Chat<UIMessage>, isAnswered: () => boolean): Promise<void> {
  const [id] = openQuestions(chat);
  if (id === undefined) throw new Error('Nothing is asked.');
  await chat.addToolApprovalResponse({ id, approved: true });
  await expect.poll(() => chat.status === 'ready' && isAnswered()).toBe(true);
}

clause('0003.1', async () => {
  const seen: UIMessageChunk[][] = [];
  for (const [, createTransport, sendAutomaticallyWhen] of transports) {
    const { url, close } = await served();
    const chunks: UIMessageChunk[] = [];
    const transport = createTransport(url);
    const chat = new Chat({
      transport: {
        reconnectToStream: (options) => transport.reconnectToStream(options),
        sendMessages: async (options) => {
          const [own, copy] = (await transport.sendMessages(options)).tee();
          void collect(copy).then((read) => chunks.push(...read));
          return own;
        },
      },
      sendAutomaticallyWhen,
    });
    await chat.sendMessage({ text: 'Find users, then pay.' });
    await approve(chat, () => openQuestions(chat).length === 1);
    await approve(chat, () => textOf(chat) !== '');
    seen.push(withoutOwnIds(lasting(chunks)));
    await close();
  }
  const [overSse = [], overSocket] = seen;
  expect(overSse.filter(({ type }) => type === 'finish')).toHaveLength(3);
  expect(overSocket).toEqual(overSse);
});

/** Chunks for comparing two chats, without the ids of messages and questions. */
function withoutOwnIds(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  return JSON.parse(JSON.stringify(chunks).replaceAll(/"(msg|apr)_[^"]+"/g, '"$1"'));
}

clause('0003.2', () => {
  const question = (toolCallId: string, state: object): UIMessage['parts'][number] =>
    ({ type: 'tool-pay', toolCallId, input: {}, ...state }) as never;
  const open = question('a', { state: 'approval-requested', approval: { id: 'a' } });
  const answered = question('b', { state: 'approval-responded', approval: { id: 'b', approved: true } });
  const mark = { type: 'step-start' as const };
  const message: UIMessage = { id: 'm', role: 'assistant', parts: [mark, open, mark, answered] };
  expect(sse.sendAutomaticallyWhen({ messages: [message] })).toBe(true);
  expect(bidi.sendAutomaticallyWhen({ messages: [message] })).toBe(false);
});

/** Answers the given number of two questions, and waits for the server's reply. */
async function requestsUntilReply(sendAutomaticallyWhen: Predicate, answers: number) {
  const server = await serverOfTwoQuestions(21);
  const chat = new Chat({
    transport: new DefaultChatTransport({ api: server.url }),
    sendAutomaticallyWhen,
  });
  await chat.sendMessage({ text: 'Pay both.' });
  for (const id of openQuestions(chat).slice(0, answers)) {
    await chat.addToolApprovalResponse({ id, approved: true });
  }
  await expect.poll(() => chat.status === 'ready' && textOf(chat) !== '').toBe(true);
  await server.close();
  return { requests: server.requests, text: textOf(chat) };
}

clause('0003.3', async () => {
  const bothAtOnce = { requests: 2, text: 'Both are done.' };
  expect(await requestsUntilReply(sse.sendAutomaticallyWhen, 2)).toEqual(bothAtOnce);
  expect(await requestsUntilReply(bidi.sendAutomaticallyWhen, 2)).toEqual(bothAtOnce);
  expect(await requestsUntilReply(sendAnyAnswer, 1)).toEqual({ requests: 21, text: 'Stop it.' });
});

clause('0003.4', async () => {
  for (const [name, createTransport, sendAutomaticallyWhen] of transports) {
    const { url, ran, close } = await served();
    const { counter, transport } = counted(createTransport(url));
    const chat = new Chat({ transport, sendAutomaticallyWhen });
    await chat.sendMessage({ text: 'Find users, then pay.' });
    await approve(chat, () => openQuestions(chat).length === 1);
    await approve(chat, () => textOf(chat) !== '');
    expect({ name, ...counter, ran: ran.length, text: textOf(chat) }).toEqual({
      name,
      requests: 3,
      ran: 2,
      text: 'Let me look.Found one.Paid.',
    });
    await close();
  }
});

clause('0003.5', async () => {
  const [[, createSse, sseWhen], [, createBidi, bidiWhen]] = transports as [
    (typeof transports)[number],
    (typeof transports)[number],
  ];
  const { url, ran, close } = await served();
  const before = new Chat({ id: 'moving', transport: createSse(url), sendAutomaticallyWhen: sseWhen });
  await before.sendMessage({ text: 'Find users, then pay.' });
  await approve(before, () => openQuestions(before).length === 1);

  const { messages } = before;
  const after = new Chat({
    id: 'moving',
    messages,
    transport: createBidi(url),
    sendAutomaticallyWhen: bidiWhen,
  });
  await approve(after, () => textOf(after) !== '');
  expect(textOf(after)).toBe('Let me look.Found one.Paid.');
  expect(after.messages).toHaveLength(2);
  expect(ran.map(({ tool }) => tool)).toEqual(['search', 'pay']);
  await close();
});

clause('0003.6', async () => {
  for (const [name, createTransport] of transports) {
    const speaks = Promise.withResolvers<void>();
    const { url, flow, close } = await served([
      [{ text: 'One, ' }, { wait: speaks.promise }, { text: 'two.' }],
    ]);
    const leave = new AbortController();
    const stream = await createTransport(url).sendMessages({
      chatId: 'left',
      trigger: 'submit-message',
      messageId: undefined,
      messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Count.' }] }],
      abortSignal: leave.signal,
    });
    await stream.getReader().read();
    leave.abort();
    speaks.resolve();

    const chat = { chatId: parseChatId('left'), principal: ada };
    await expect.poll(async () => (await flow.chats.read(chat)).run.status).toBe('idle');
    const { messages } = await flow.chats.read(chat);
    expect({ name, text: JSON.stringify(messages.at(-1)?.parts) }).toMatchObject({
      text: expect.stringContaining('two.'),
    });
    await close();
  }
});
