import '../support/dom.ts';
import {
  act,
  cleanup,
  configure,
  fireEvent,
  render,
  renderHook,
  screen,
  waitFor,
} from '@testing-library/react';
import {
  ApprovalCard,
  type ApprovalChatState,
  ApprovalFeedProvider,
  type ApprovalTransport,
  ConnectionNotice,
  loadChat,
  PersonProvider,
  parseDescriptor,
  type Question,
  ToolCard,
  useApprovalChat,
  useServerConnection,
} from 'countersign/react';
import { createElement } from 'react';
import { expect, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../lib/client/chat/requests/request-failure.ts';
import { watchedTransport } from '../../lib/client/chat/requests/watched-transport.ts';
import { postAnswer } from '../../lib/client/inbox/approvals-api.ts';
import { adr } from '../support/adr.ts';
import { barrier } from '../support/barrier.ts';
import { bidiClient, type ChatClient, sseClient } from '../support/chat-clients.ts';
import { pay } from '../support/chat-fixture.ts';
import { ada } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });

const { clause } = adr('0038-what-the-page-may-say.md');

type Sending = (
  transport: ApprovalTransport,
  request: Parameters<ApprovalTransport['sendMessages']>[0],
) => ReturnType<ApprovalTransport['sendMessages']>;

/** A page whose chat asks for a payment. @param send how its next answer is sent */
async function asked(
  client: ChatClient,
  send: Sending = (transport, request) => transport.sendMessages(request),
) {
  const served = await serveFixture([[pay('alice', 30)], [{ text: 'Done.' }]]);
  const { transport, exchanges, breakLine } = client.connect(served.url);
  const given: ApprovalTransport = {
    resumeStreamIsReplay: transport.resumeStreamIsReplay,
    reconnectToStream: (request) => transport.reconnectToStream(request),
    sendMessages: (request) =>
      request.messages.at(-1)?.role === 'assistant'
        ? send(transport, request)
        : transport.sendMessages(request),
    keepAnswer: transport.keepAnswer,
  };
  const said: string[] = [];
  const { result } = renderHook(() => {
    const chat = useApprovalChat({
      ...{ id: 'chat', transport: given, sendAutomaticallyWhen: client.predicate(), api: served.api },
      feed: false,
    });
    const [shown] = chat.tools.values();
    const words = [shown?.state, shown?.approval?.approved].filter((word) => word !== undefined).join(' ');
    if (shown && said.at(-1) !== words) said.push(words);
    return chat;
  });
  onTestFinished(cleanup);
  const seen = (what: string, holds: (chat: ApprovalChatState) => boolean) =>
    waitFor(() => expect(holds(result.current), what).toBe(true), { timeout: 10_000 });
  const call = () => [...result.current.tools.values()][0];
  await act(() => result.current.sendMessage({ text: 'Pay.' }));
  await seen('It asks', ({ phase }) => phase === 'waiting');
  return {
    ...{ served, exchanges, breakLine, seen, call, said },
    async deniedElsewhere() {
      const head = await served.store.chats.head('chat' as never);
      const approvalId = head?.open as never;
      await served.flow.approvals.answer({ principal: ada, approvalId, approved: false, via: 'test' });
    },
    chat: () => result.current,
    approve: () => act(async () => void result.current.approve(undefined, { reason: 'Fine.' })),
    log: async () => (await served.store.events.read('chat' as never, 0)).map(({ type }) => type),
  };
}

/** A page whose approval is on its way until the test lets it go. */
async function approvedButHeld(client: ChatClient) {
  const { wait, lift } = barrier();
  const page = await asked(client, async (transport, request) => {
    await wait;
    return transport.sendMessages(request);
  });
  await page.approve();
  return { page, lift };
}

const clients = [sseClient, bidiClient];

clause('0038.1', async () => {
  for (const client of clients) {
    const { page, lift } = await approvedButHeld(client);
    await page.seen('It is being sent', () => page.call()?.state === 'sending');
    expect(page.call()).toMatchObject({ sending: { approved: true } });
    expect(page.call()).not.toHaveProperty('approval');
    expect(page.call()).not.toHaveProperty('answer');
    const { container } = render(createElement(ToolCard, { call: page.call() as never }));
    expect(container.querySelector('[data-countersign="seal"]')).toBeNull();
    expect(await page.log()).not.toContain('approval-answered');

    // Rejected: to show what the message says.
    const part = page.chat().messages.at(-1)?.parts.at(-1);
    expect(part).toMatchObject({ state: 'approval-responded', approval: { approved: true } });

    lift();
    await page.seen('It is received and done', () => page.call()?.state === 'done');
    expect(page.call()).toMatchObject({ approval: { approved: true }, answer: { approved: true } });
    cleanup();
  }
});

clause('0038.2', async () => {
  for (const client of clients) {
    const page = await asked(client);
    page.breakLine();
    await page.approve();
    await page.seen('It is not received', ({ failure }) => failure?.kind === 'not-received');
    expect(await page.log()).not.toContain('approval-answered');
    expect(page.chat()).toMatchObject({
      phase: 'waiting',
      lastAnswer: { approved: true, reason: 'Fine.' },
    });
    cleanup();

    const lost = await asked(client, async (transport, request) => {
      const reply = (await transport.sendMessages(request)).getReader();
      await reply.read();
      await reply.cancel();
      throw new TypeError('network error');
    });
    await lost.approve();
    await lost.seen('The log has it', () => lost.call()?.state === 'done');
    await lost.seen('Nothing failed', ({ failure }) => failure === undefined);
    expect(lost.served.ran).toHaveLength(1);
    cleanup();
  }
});

clause('0038.3', async () => {
  const page = await asked(sseClient);
  page.breakLine();
  await page.approve();
  await page.seen('It is not received', ({ failure }) => failure?.kind === 'not-received');
  const sent = page.exchanges.length;
  await act(async () => void window.dispatchEvent(new Event('online')));
  await act(async () => void (await loadChat('chat', page.served)));
  expect(page.exchanges).toHaveLength(sent);
  expect(page.served.ran).toEqual([]);

  // Rejected: to send it again when the network is back.
  window.addEventListener('online', () => void page.chat().retry(), { once: true });
  await act(async () => void window.dispatchEvent(new Event('online')));
  await page.seen('It runs without a click', () => page.served.ran.length === 1);
});

const question: Question = {
  ...parseDescriptor({ description: 'Pay Alice 30' }, 'pay'),
  ...{ id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'pay', input: {}, state: 'open' },
};

const delivery = () => document.querySelector('[data-countersign="card-delivery"]');

/** A card on a machine whose network the test controls. */
async function cardWithNetwork() {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T12:00:00Z') });
  let isOnline = true;
  const network = vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  Element.prototype.scrollIntoView = () => undefined;
  onTestFinished(() => {
    cleanup();
    network.mockRestore();
    vi.useRealTimers();
  });
  const onAnswer = vi.fn();
  render(createElement(ApprovalCard, { question, onAnswer }));
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  await pass(1_000);
  return {
    onAnswer,
    pass,
    press: (name: string | RegExp) =>
      act(async () => void fireEvent.click(screen.getByRole('button', { name }))),
    setNetwork: (isThere: boolean) =>
      act(async () => {
        isOnline = isThere;
        window.dispatchEvent(new Event(isThere ? 'online' : 'offline'));
      }),
  };
}

clause('0038.4', async () => {
  const { onAnswer, press, setNetwork, pass } = await cardWithNetwork();
  await setNetwork(false);
  await press(/^Approve/);
  await setNetwork(true);
  await pass(1_000);
  expect(onAnswer).not.toHaveBeenCalled();
  expect(delivery()?.textContent).toContain('Approval not sent');

  await setNetwork(false);
  await press(/^Approve/);
  await press('Send when connected');
  await press('Discard');
  await setNetwork(true);
  await pass(1_000);
  expect(onAnswer).not.toHaveBeenCalled();

  await setNetwork(false);
  await press(/^Deny/);
  await press('Send when connected');
  await setNetwork(true);
  expect(onAnswer.mock.calls).toEqual([[{ approved: false }]]);
});

clause('0038.5', async () => {
  const { onAnswer, press, setNetwork, pass } = await cardWithNetwork();
  for (const wait of [() => pass(60_000), async () => void vi.setSystemTime(Date.now() + 60_000)]) {
    await setNetwork(false);
    await press(/^Approve/);
    await press('Send when connected');
    await wait();
    await setNetwork(true);
    expect(onAnswer).not.toHaveBeenCalled();
    expect(delivery()?.textContent).toContain('Approval not sent: there was no connection.');
  }
});

clause('0038.6', async () => {
  const notice = () => document.querySelector('[data-countersign="connection"]')?.textContent;
  const Connected = () => createElement('output', null, String(useServerConnection().isConnected));
  const openPage = (fetch: typeof globalThis.fetch) =>
    render(
      createElement(
        ApprovalFeedProvider,
        // biome-ignore lint/correctness/noChildrenProp: its type requires it
        { api: '/api/approvals', fetch, children: null },
        createElement(ConnectionNotice),
        createElement(Connected),
      ),
    );
  openPage(async () => {
    throw new TypeError('fetch failed');
  });
  await waitFor(() =>
    expect(notice()).toMatch(/Not connected to the server\. Reconnecting in \d+ s\..*Try now/),
  );
  cleanup();
  const refused = Promise.withResolvers<void>();
  openPage(async () => {
    refused.resolve();
    return new Response(null, { status: 429 });
  });
  await act(async () => refused.promise);
  expect(screen.getByText('true')).toBeTruthy();
  cleanup();
  const readAgain = Promise.withResolvers<void>();
  let attempts = 0;
  openPage(async () => {
    attempts += 1;
    if (attempts === 1) return new Response('id: 0\n\n');
    readAgain.resolve();
    return new Promise(() => {});
  });
  await act(async () => readAgain.promise);
  expect(screen.getByText('true')).toBeTruthy();
  cleanup();
});

clause('0038.7', async () => {
  const served = await serveFixture([[{ text: 'Hello.' }]]);
  const { transport, exchanges, breakLine } = sseClient.connect(served.url);
  const { result } = renderHook(() =>
    useApprovalChat({
      ...{
        id: 'chat',
        transport,
        sendAutomaticallyWhen: sseClient.predicate(),
        api: served.api,
        feed: false,
      },
    }),
  );
  onTestFinished(cleanup);
  await act(() => result.current.sendMessage({ text: 'Hi.' }));
  await waitFor(() => expect(result.current.phase).toBe('idle'));
  const sent = exchanges.length;
  breakLine();
  await act(() => result.current.sendMessage({ text: 'Hello?' }));
  await waitFor(() => expect(result.current.failure?.title).toBe('Connection lost'));
  await act(async () => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(result.current.failure?.title).toBe("Your message wasn't received"));
  expect(exchanges).toHaveLength(sent);
  expect(result.current.messages).toHaveLength(3);
});

clause('0038.8', async () => {
  const page = await asked(sseClient);
  await page.approve();
  await page.seen('It is done', () => page.call()?.state === 'done');
  cleanup();
  const loaded = await loadChat('chat', page.served);
  if (loaded.type !== 'loaded') throw new Error('The chat was not loaded.');
  const { result } = renderHook(() =>
    useApprovalChat({
      ...{ stored: loaded.chat, transport: sseClient.connect(page.served.url).transport },
      ...{ sendAutomaticallyWhen: sseClient.predicate(), api: page.served.api, feed: false },
    }),
  );
  const [call] = result.current.tools.values();
  const cardOf = (id: string) =>
    render(
      // biome-ignore lint/correctness/noChildrenProp: its type requires it
      createElement(PersonProvider, { id, children: createElement(ToolCard, { call: call as never }) }),
    ).container.textContent;
  expect(cardOf('ada')).toContain('Approved by you,');
  expect(cardOf('ben')).toContain('Approved by Ada,');
});

clause('0038.9', async () => {
  for (const client of clients) {
    const { page, lift } = await approvedButHeld(client);
    await page.deniedElsewhere();
    expect(page.call()).toMatchObject({ state: 'sending' });
    lift();
    await page.seen('The turn is over', ({ phase }) => phase === 'idle');
    expect(page.call()).toMatchObject({ state: 'denied', approval: { approved: false } });
    expect(page.said).toEqual(['asking', 'sending', 'denied false']);
    cleanup();
  }
});

clause('0038.10', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const signals: AbortSignal[] = [];
  /** A network that drops what is sent. */
  const never = (signal: AbortSignal | null | undefined) => {
    if (signal) signals.push(signal);
    return new Promise<never>(() => {});
  };
  const question = { id: 'q1', state: 'open' } as Question;
  const fetch: typeof globalThis.fetch = (_url, init) => never(init?.signal);
  const fromInbox = postAnswer({ api: '/api/approvals', fetch }, question, { approved: true });

  const part = { type: 'tool-pay', toolCallId: 'c1', state: 'approval-responded', input: {} };
  const answered = {
    id: 'a1',
    role: 'assistant',
    parts: [{ ...part, approval: { id: 'q1', approved: true } }],
  };
  const ignore = {
    began() {},
    resuming() {},
    asked() {},
    leftOpen() {},
    replied() {},
    acknowledged() {},
    answers: () => [],
  };
  const chat = watchedTransport(
    () => ({ reconnectToStream: async () => null, sendMessages: ({ abortSignal }) => never(abortSignal) }),
    ignore,
  );
  const fromChat = chat.sendMessages({
    ...{ trigger: 'submit-message', chatId: 'c', messageId: undefined, abortSignal: undefined },
    messages: [answered] as never,
  });
  const failed = expect(fromChat).rejects.toThrow(TypeError);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await fromInbox).toEqual({ type: 'unreachable' });
  await failed;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(failureOf(await fromChat.catch((error) => error)).kind).toBe('network');
});

clause('0038.11', async () => {
  for (const client of clients) {
    const page = await asked(client);
    page.breakLine();
    await act(() => page.chat().sendMessage({ text: 'Never mind.' }));
    await page.seen('It did not arrive', ({ failure }) => failure?.kind === 'network');
    expect(page.said).toEqual(['asking']);
    // Rejected: only the last message can hold a question. This one is open, and not in it.
    expect(page.chat().messages.at(-1)?.role).toBe('user');
    await page.approve();
    await page.seen('It is done', () => page.call()?.state === 'done');
    await page.seen('It is kept', ({ messages }) => messages.at(-1)?.role === 'user');
    expect(await page.log()).not.toContain('approval-withdrawn');
    cleanup();

    const other = await asked(client);
    await act(() => other.chat().sendMessage({ text: 'Never mind.' }));
    await other.seen('It is cancelled', () => other.call()?.state === 'withdrawn');
    expect(await other.log()).toContain('approval-withdrawn');
    cleanup();
  }
});

clause('0038.12', async () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  onTestFinished(() => void vi.unstubAllGlobals());
  const mistake = new TypeError('AbortSignal.any is not a function');
  for (const client of clients) {
    const page = await asked(client, () => Promise.reject(mistake));
    await page.approve();
    await page.seen('It is not received', ({ failure }) => failure?.kind === 'not-received');
    expect(page.chat()).toMatchObject({ connection: 'online', failure: { detail: mistake.message } });
    expect(report.mock.calls).toEqual([[mistake]]);
    report.mockClear();
    cleanup();
  }
});
