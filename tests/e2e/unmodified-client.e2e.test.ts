import { Chat } from '@ai-sdk/react';
import {
  type ChatTransport,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
  WebSocketChatTransport,
} from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { checkResponseTiming, readRecording, recordTransport } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { amountsOf, nameOf, type Pattern, patterns, paymentScript } from '../support/answer-patterns.ts';
import { plain } from '../support/client-message.ts';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

type Predicate = (options: { messages: UIMessage[] }) => boolean;
type Connect = (url: string) => ChatTransport<UIMessage>;

/** The SDK's unmodified transports. */
const overHttp: Connect = (url) => new DefaultChatTransport({ api: `${url}/api/chat` });
const overSocket: Connect = (url) => new WebSocketChatTransport({ url: `${url}/api/chat/socket` });

/** A transport whose requests are observed. */
function looked(transport: ChatTransport<UIMessage>) {
  const lines: string[] = [];
  return {
    transport: recordTransport(transport, { write: (line) => lines.push(line) }),
    exchanges: () => readRecording(lines).exchanges,
  };
}

const clients: readonly (readonly [string, Connect, string, Predicate])[] = [
  ['POST /api/chat', overHttp, 'the SDK’s predicate', lastAssistantMessageIsCompleteWithApprovalResponses],
  ['POST /api/chat', overHttp, 'ours', sse.sendAutomaticallyWhen],
  [
    '/api/chat/socket',
    overSocket,
    'the SDK’s predicate',
    lastAssistantMessageIsCompleteWithApprovalResponses,
  ],
  ['/api/chat/socket', overSocket, 'ours', bidi.sendAutomaticallyWhen],
];

const twoCalls = patterns.filter((pattern) => pattern.flat().length === 2);
const rows = clients.flatMap(([door, connect, whose, predicate]) =>
  twoCalls.map((pattern) => [door, whose, nameOf(pattern), pattern, connect, predicate] as const),
);

describe('a plain chat of the AI SDK, with its own transport', () => {
  it.each(rows)(
    'over %s, sending by %s, two calls answered %s: three responses in order, and no further request',
    async (_door, _whose, _name, pattern: Pattern, connect, predicate) => {
      const { url, ran } = await serveFixture(paymentScript(pattern));
      const { transport, exchanges } = looked(connect(url));
      const decisions: boolean[] = [];
      const chat = new Chat<UIMessage>({
        id: 'chat',
        transport,
        sendAutomaticallyWhen(options) {
          const decision = predicate(options);
          decisions.push(decision);
          return decision;
        },
      });

      const [first = false, second = false] = pattern.flat();
      await chat.sendMessage({ text: 'Pay.' });
      chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: first });
      // A request is made only if the predicate was called. This is the complete list, so nothing loops.
      await waitFor(() => expect(decisions).toEqual([false, true, false]));
      chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: second });
      await waitFor(() => expect(decisions).toEqual([false, true, false, true, false]));

      expect(exchanges()).toHaveLength(3);
      const responses = exchanges().map(({ chunks }) => chunks);
      expect(checkResponseTiming(responses, { finished: true })).toEqual([]);
      expect(ran.map(({ input }) => (input as { amount: number }).amount)).toEqual(amountsOf(pattern));

      expect(chat.status).toBe('ready');
      expect(chat.messages).toHaveLength(2);
      const stored = await (await fetch(`${url}/api/chat/chat`)).json();
      expect(stored.messages).toEqual(plain(chat.messages));
      expect(stored.run).toEqual({ status: 'idle' });
      await chat.dispose();
    },
  );

  it.each([
    ['POST /api/chat', overHttp],
    ['/api/chat/socket', overSocket],
  ] as const)(
    'over %s: continues with the next message after an approval, with one message per turn',
    async (_door, connect) => {
      const { url, ran } = await serveFixture([
        [{ call: 'pay', input: { to: 'alice', amount: 1 } }],
        [{ text: 'Paid.' }],
        [{ text: 'You are welcome.' }],
      ]);
      const { transport, exchanges } = looked(connect(url));
      const chat = new Chat<UIMessage>({
        id: 'chat',
        transport,
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      });
      await chat.sendMessage({ text: 'Pay.' });
      chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: true });
      await waitFor(() => expect(exchanges()).toHaveLength(2));
      await waitFor(() => expect(chat.status).toBe('ready'));
      await chat.sendMessage({ text: 'Thanks.' });

      expect(exchanges()).toHaveLength(3);
      expect(ran).toHaveLength(1);
      expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      const stored = await (await fetch(`${url}/api/chat/chat`)).json();
      expect(stored.messages).toEqual(plain(chat.messages));
      await chat.dispose();
    },
  );
});
