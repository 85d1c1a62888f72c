import { Chat } from '@ai-sdk/react';
import {
  type ChatTransport,
  DefaultChatTransport,
  isToolUIPart,
  type UIMessage,
  type UIMessageChunk,
  WebSocketChatTransport,
} from 'ai';
import { createBidiTransport } from 'countersign/bidi';
import { createSseTransport } from 'countersign/sse';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../lib/protocol/clock/system-clock.ts';
import { plain } from '../support/client-message.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

const pay = (to: string, amount: number) => ({ call: 'pay', input: { to, amount } });

/** A clock by which everything in the log happened an hour ago. */
const hourAgo = { ...systemClock, now: () => Date.now() - 3_600_000 };

/** More requests than any of these chats needs. A page that loops sends as many as it may. */
const mostRequests = 12;

const transports: readonly (readonly [string, 'sse' | 'bidi', (url: string) => ChatTransport<UIMessage>])[] =
  [
    ['DefaultChatTransport', 'sse', (url) => new DefaultChatTransport({ api: `${url}/api/chat` })],
    [
      'DefaultChatTransport with its last message',
      'sse',
      (url) =>
        new DefaultChatTransport({
          api: `${url}/api/chat`,
          prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, message: messages.at(-1) } }),
        }),
    ],
    ['createSseTransport', 'sse', (url) => createSseTransport({ api: `${url}/api/chat` })],
    [
      'WebSocketChatTransport',
      'bidi',
      (url) => new WebSocketChatTransport({ url: `${url}/api/chat/socket` }),
    ],
    [
      'createBidiTransport',
      'bidi',
      (url) => createBidiTransport({ url: `${url}/api/chat/socket`, api: `${url}/api/chat` }),
    ],
  ];
const releases = ['final', 'progressive', 'hold-after-question'] as const;
const rows = transports.flatMap(([name, entryPoint, connect]) =>
  releases.map((release) => ({ name, entryPoint, connect, release })),
);

/** The predicate of many public pages: it stays true while a part of the message is approved and has no outcome. */
function someIsApproved({ messages }: { messages: UIMessage[] }): boolean {
  return (
    messages
      .at(-1)
      ?.parts.some(
        (part) => isToolUIPart(part) && part.state === 'approval-responded' && part.approval.approved,
      ) ?? false
  );
}

/** A page with this predicate. `cut` breaks the next response after so many chunks. */
function openChat(given: ChatTransport<UIMessage>, predicate = someIsApproved) {
  let requests = 0;
  let cut: number | undefined;
  const sendMessages: typeof given.sendMessages = async (options) => {
    requests += 1;
    const stream = await given.sendMessages(options);
    if (cut === undefined) return stream;
    const most = cut;
    cut = undefined;
    return stream.pipeThrough(cutAfter(most));
  };
  const transport: ChatTransport<UIMessage> = {
    sendMessages,
    reconnectToStream: (options) => given.reconnectToStream(options),
    resumeStreamIsReplay: given.resumeStreamIsReplay,
  };
  const chat = new Chat<UIMessage>({
    id: 'chat',
    transport,
    sendAutomaticallyWhen: (options) => requests < mostRequests && predicate(options),
  });
  onTestFinished(async () => {
    await chat.dispose();
    given.close?.();
  });
  return {
    chat,
    requests: () => requests,
    cutNextAfter: (chunks: number) => {
      cut = chunks;
    },
    calls: () =>
      chat.messages.flatMap(({ parts }) => parts.filter(isToolUIPart)).map((part) => part.toolCallId),
    async approve() {
      await chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: true });
    },
    ends: (status: string) => waitFor(() => expect(chat.status).toBe(status)),
  };
}

function cutAfter(most: number): TransformStream<UIMessageChunk, UIMessageChunk> {
  let count = 0;
  return new TransformStream({
    transform(chunk, controller) {
      count += 1;
      if (count > most) controller.error(new TypeError('network error'));
      else controller.enqueue(chunk);
    },
  });
}

describe('a page that sends answers while some part of its last message is approved', () => {
  it.each(rows)(
    'over $name, $release: is stopped by an error that names the predicate, and the next answer counts [H10, T15]',
    async ({ connect, entryPoint, release }) => {
      const { url, ran } = await serveFixture([[pay('alice', 1), pay('bob', 2)], [{ text: 'Paid.' }]], {
        release,
      });
      const page = openChat(connect(url));
      await page.chat.sendMessage({ text: 'Pay both.' });
      await page.approve();
      // In a progressive turn, the outcome of the first call is in the response, so nothing is repeated.
      const loops = release !== 'progressive';
      await page.ends(loops ? 'error' : 'ready');
      await waitFor(() => expect(page.calls()).toEqual(['call-0-0', 'call-0-1']));
      expect(page.requests()).toBe(loops ? 3 : 2);
      if (loops)
        expect(page.chat.error?.message).toContain(`sendAutomaticallyWhen of countersign/${entryPoint}`);

      await page.approve();
      await page.ends('ready');
      const stored = await (await fetch(`${url}/api/chat/chat`)).json();
      await waitFor(() => expect(plain(page.chat.messages)).toEqual(stored.messages));
      expect(ran).toHaveLength(2);
      expect(page.requests()).toBe(loops ? 4 : 3);
    },
  );

  it('that shows its response for a while is stopped the third time [H10]', async () => {
    const { url } = await serveFixture([[pay('alice', 1), pay('bob', 2)]], { clock: hourAgo });
    const page = openChat(new DefaultChatTransport({ api: `${url}/api/chat` }));
    await page.chat.sendMessage({ text: 'Pay both.' });
    await page.approve();
    await page.ends('error');
    expect(page.requests()).toBe(4);
    expect(page.calls()).toEqual(['call-0-0', 'call-0-1']);
  });
});

describe('a page whose response broke off', () => {
  it.each(rowsOfThisRun(rows, ({ name }) => ['DefaultChatTransport', 'createBidiTransport'].includes(name)))(
    'over $name, $release: gets the rest of it, and no part twice, wherever it broke [H10]',
    async ({ connect, release }) => {
      const script = [
        [{ text: 'First.' }, pay('alice', 1)],
        [{ text: 'Then ' }, { text: 'Bob.' }, pay('bob', 2)],
      ];
      for (let chunks = 0, isWhole = false; !isWhole; chunks++) {
        const { url, ran } = await serveFixture(script, { release });
        const page = openChat(connect(url), () => false);
        await page.chat.sendMessage({ text: 'Pay both.' });
        await page.approve();
        page.cutNextAfter(chunks);
        await page.chat.sendMessage();
        isWhole = page.chat.status === 'ready';
        // A message without an answer is resumed. There is nothing to repeat.
        if (someIsApproved(page.chat)) await page.chat.sendMessage();
        else await page.chat.resumeStream();
        const stored = await (await fetch(`${url}/api/chat/chat`)).json();
        expect(plain(page.chat.messages), `after ${chunks} chunks`).toEqual(stored.messages);
        expect(ran).toHaveLength(1);
      }
    },
  );
});
