import { votes } from 'countersign/plugins/votes';
import './dom.ts';
import { isDeepStrictEqual } from 'node:util';
import { useChat } from '@ai-sdk/react';
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react';
import type { UIMessage, UIMessageChunk } from 'ai';
import type { FlowSettings } from 'countersign';
import { type ApprovalChatState, type ApprovalTransport, loadChat, useApprovalChat } from 'countersign/react';
import type { Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { barrier } from './barrier.ts';
import type { ChatClient } from './chat-clients.ts';
import { pay } from './chat-fixture.ts';
import { plain } from './client-message.ts';
import { openQuestion } from './open-question.ts';
import { serveFixture, userHeader } from './serve-fixture.ts';
import { databaseTools, workedExample } from './worked-example.ts';

// Not a time limit for a test, but for a missing element.
configure({ asyncUtilTimeout: 10_000 });

type Served = Awaited<ReturnType<typeof serveFixture>>;

type PageOptions = {
  readonly feed?: boolean;
  /** The messages that the page starts with, instead of the stored ones. */
  readonly messages?: UIMessage[];
  readonly override?: (transport: ApprovalTransport) => ApprovalTransport;
};

/** A page on the chat of a served flow, as after a reload. */
async function openPage(
  client: ChatClient,
  { url, api }: Served,
  { feed = true, messages, override = (transport) => transport }: PageOptions = {},
) {
  const loaded = await loadChat('chat', { api });
  const connection = client.connect(url);
  const transport = override(connection.transport);
  const rendered: ApprovalChatState[] = [];
  const view = renderHook(
    ({ transport }) => {
      const chat = useApprovalChat({
        id: 'chat',
        transport,
        sendAutomaticallyWhen: client.predicate(),
        ...(messages ? { messages } : loaded.type === 'loaded' && { stored: loaded.chat }),
        api,
        approvalsApi: `${url}/api/approvals`,
        feed,
      });
      rendered.push(chat);
      return chat;
    },
    { initialProps: { transport } },
  );
  onTestFinished(cleanup);
  const seen = (holds: (chat: ApprovalChatState) => boolean, what: string) =>
    waitFor(() => {
      if (!holds(view.result.current)) throw new Error(`${what}: ${stateOf(view.result.current)}`);
    });
  return {
    ...connection,
    /** The return value of the hook at each render. */
    rendered,
    /** The current return value of the hook. */
    get chat() {
      return view.result.current;
    },
    call: (toolName: string) =>
      [...view.result.current.tools.values()].find((call) => call.toolName === toolName),
    say: (text: string) => act(async () => void view.result.current.sendMessage({ text })),
    asks: (toolName: string) =>
      seen(({ question }) => question?.toolName === toolName, `It asks ${toolName}`),
    becomes: (phase: ApprovalChatState['phase']) =>
      seen((chat) => chat.phase === phase, `It becomes ${phase}`),
    /** The page has found out that the server does not have the last answer, and asks again. */
    isNotReceived: () =>
      seen(
        ({ phase, failure }) => phase === 'waiting' && failure?.kind === 'not-received',
        'It is not received',
      ),
    seen,
    approve: (...given: Parameters<ApprovalChatState['approve']>) =>
      act(async () => view.result.current.approve(...given)),
    deny: (...given: Parameters<ApprovalChatState['deny']>) =>
      act(async () => view.result.current.deny(...given)),
    retry: () => act(async () => void view.result.current.retry()),
    switchTo: (transport: ApprovalTransport) => view.rerender({ transport }),
    leave: () => view.unmount(),
  };
}

function stateOf({ phase, status, question, failure, messages }: ApprovalChatState): string {
  return JSON.stringify({
    phase,
    status,
    question: question?.toolName,
    failure,
    last: messages.at(-1)?.parts,
  });
}

const payAlice = [[pay('alice', 30)], [{ text: 'Done.' }]];
const edited = { to: 'alice', amount: 3 };

const inputsOf = ({ ran }: Served) => ran.map(({ input }) => input);

/** Approves on another page, as Ada if no user is named. */
async function answerElsewhere({ url }: Served, id: string | undefined, user?: string, reason?: string) {
  const { status } = await fetch(`${url}/api/approvals/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(user !== undefined && { [userHeader]: user }) },
    body: JSON.stringify({ approved: true, reason }),
  });
  expect(status).toBe(200);
}

/** Another kind of transport: it cannot carry edited arguments. */
function withoutKeptAnswers(transport: ApprovalTransport): ApprovalTransport {
  return {
    sendMessages: (options) => transport.sendMessages(options),
    reconnectToStream: (options) => transport.reconnectToStream(options),
  };
}

/** Tests of `useApprovalChat` over one of the library's transports. */
export function describeUseApprovalChat(client: ChatClient): void {
  /** A page that asks whether to pay. */
  async function asked(
    script: Script = payAlice,
    settings: Partial<FlowSettings> = {},
    options?: PageOptions,
  ) {
    const served = await serveFixture(script, settings);
    const page = await openPage(client, served, options);
    await page.say('Pay.');
    await page.asks('pay');
    return { served, page };
  }

  /** A page whose edited approval did not reach the server, so that it asks again. */
  async function unanswered(script?: Script) {
    const { served, page } = await asked(script);
    page.breakLine();
    await page.approve(undefined, { input: edited });
    await page.isNotReceived();
    return { served, page };
  }

  describe(`useApprovalChat over ${client.name}: what is approved is what runs`, () => {
    it('shows a question again after a vote that does not settle it, and then its outcome [ADR 0047]', async () => {
      const toolDetails = { pay: { approvers: () => true, votes: { count: 2 } } };
      const { served, page } = await asked(payAlice, { toolDetails, plugins: [votes()] } as never);
      const id = page.chat.question?.id ?? '';
      await page.approve();
      await page.seen(({ question }) => question?.hasAnswered === true, 'It shows the vote');
      expect(page.chat).toMatchObject({
        phase: 'waiting',
        question: {
          id,
          state: 'open',
          mayAnswer: false,
          plugins: { votes: { needed: 2 } },
          answers: [{ by: { id: 'ada' } }],
        },
      });
      expect(page.call('pay')?.state).toBe('asking');
      expect(page.exchanges).toHaveLength(2);
      await answerElsewhere(served, id, 'ben');
      await page.seen(() => page.call('pay')?.state === 'done', 'It shows the outcome');
      expect(served.ran).toHaveLength(1);
    });

    it('runs edited arguments instead of the proposed ones, and shows them after a reload', async () => {
      const { served, page } = await asked();
      expect(page.chat.question).toMatchObject({
        input: pay('alice', 30).input,
        mayEdit: true,
        mayRemember: false,
      });
      expect(await page.approve(page.chat.question?.id, { input: edited, reason: ' Less. ' })).toBe(true);
      await page.becomes('idle');
      expect(inputsOf(served)).toEqual([edited]);
      expect(page.call('pay')).toMatchObject({ state: 'done', input: edited, approval: { reason: 'Less.' } });
      page.leave();

      const later = await openPage(client, served);
      expect(later.call('pay')).toMatchObject({
        state: 'done',
        input: edited,
        proposedInput: pay('alice', 30).input,
        approval: { approved: true, reason: 'Less.' },
        answer: { approved: true, by: { id: 'ada', name: 'Ada' }, at: expect.stringMatching(/Z$/) },
        durationMs: expect.any(Number),
      });
    });

    it('sends edited arguments again with a repeated answer, and never without it', async () => {
      const { served, page } = await unanswered();
      expect(page.chat.lastAnswer).toMatchObject({ approved: true, input: edited });
      expect(page.call('pay')).toMatchObject({ state: 'asking' });
      expect(served.ran).toEqual([]);
      await page.retry();
      await page.becomes('idle');
      expect(inputsOf(served)).toEqual([edited]);
      expect(answersOf(page.exchanges.at(-1)?.body)).toMatchObject([{ approved: true, input: edited }]);
      expect(page.chat.connection).toBe('online');
    });

    it('sends edited arguments over the transport that the page switched to in the meantime', async () => {
      const { served, page } = await unanswered();
      page.switchTo(client.connect(served.url).transport);
      await page.retry();
      await page.becomes('idle');
      expect(inputsOf(served)).toEqual([edited]);
    });

    it('discards an unsent, edited answer when a new message is sent', async () => {
      const { served, page } = await unanswered([...payAlice, [{ text: 'And hello.' }]]);
      await page.say('Hello?');
      await page.becomes('idle');
      expect(served.ran).toEqual([]);
    });

    it('asks again after a reload for an answer that was never sent', async () => {
      const { served, page } = await unanswered();
      page.leave();

      const later = await openPage(client, served);
      await later.asks('pay');
      await later.becomes('waiting');
      expect(later.exchanges).toEqual([]);
      expect(served.ran).toEqual([]);
      await later.approve();
      await later.becomes('idle');
      expect(inputsOf(served)).toEqual([pay('alice', 30).input]);
    });

    it('asks again if the page restored its own messages, because they contain no decision', async () => {
      const { served, page } = await unanswered();
      const messages = plain(page.chat.messages);
      page.leave();

      const later = await openPage(client, served, { messages });
      expect(later.chat).toMatchObject({ phase: 'waiting', question: { toolName: 'pay' } });
      await later.say('Hello?');
      await later.becomes('idle');
      expect(served.ran).toEqual([]);
    });

    it('sends an answer, edits included, that was given while the question is reloaded', async () => {
      const { served, page } = await asked();
      page.leave();

      const replay = barrier();
      const later = await openPage(client, served, {
        override: (transport) => ({
          ...withoutKeptAnswers(transport),
          async reconnectToStream(options) {
            const stream = await transport.reconnectToStream(options);
            return stream && heldBy(stream, replay.wait);
          },
          keepAnswer: transport.keepAnswer,
        }),
      });
      await later.seen(
        ({ status, question }) => status === 'submitted' && question !== undefined,
        'It resumes',
      );
      expect(await later.approve(undefined, { input: edited })).toBe(true);
      expect(later.exchanges).toEqual([]);
      replay.lift();
      await later.becomes('idle');
      expect(inputsOf(served)).toEqual([edited]);
    });

    it('ignores the second half of a double click, so an edit is kept', async () => {
      const { served, page } = await asked();
      page.breakLine();
      const id = page.chat.question?.id;
      const { approve } = page.chat;
      const taken = await act(async () => [approve(id, { input: edited }), approve(id)]);
      expect(taken).toEqual([true, false]);
      await page.isNotReceived();
      await page.retry();
      await page.becomes('idle');
      expect(inputsOf(served)).toEqual([edited]);
    });

    it('keeps the question open when the server refuses the arguments, and shows the reason', async () => {
      const { served, page } = await asked();
      await page.approve(undefined, { input: { to: 'alice', amount: 'much' } });
      await page.seen(
        (chat) => chat.phase === 'waiting' && chat.failure?.kind === 'refused',
        'It asks again',
      );
      expect(served.ran).toEqual([]);
      expect(page.call('pay')?.answer).toBeUndefined();
      await page.approve(undefined, { input: edited });
      await page.becomes('idle');
      expect(page.chat.failure).toBeUndefined();
      expect(inputsOf(served)).toEqual([edited]);
    });

    it('accepts a plain answer of `addToolApprovalResponse`', async () => {
      const { served, page } = await asked();
      const id = page.chat.question?.id ?? '';
      await act(async () => page.chat.addToolApprovalResponse({ id, approved: false, reason: 'No.' }));
      await page.becomes('idle');
      expect(served.ran).toEqual([]);
      expect(page.call('pay')).toMatchObject({ state: 'denied', approval: { reason: 'No.' } });
    });

    it('approves and denies over another kind of transport, but allows no edits', async () => {
      const served = await serveFixture(payAlice);
      const page = await openPage(client, served);
      page.switchTo(withoutKeptAnswers(page.transport));
      await page.say('Pay.');
      await page.asks('pay');
      expect(page.chat.question).toMatchObject({ mayEdit: false, mayRemember: false });
      expect(() => page.chat.approve(undefined, { input: edited })).toThrow('cannot carry edited arguments');
      await page.approve();
      await page.becomes('idle');
      expect(served.ran).toHaveLength(1);
    });

    it('does not send an edited approval over a transport that cannot carry the edit', async () => {
      const { served, page } = await unanswered();
      page.switchTo(withoutKeptAnswers(page.transport));
      const before = page.exchanges.length;
      await page.retry();
      await page.seen(
        ({ failure }) => failure?.detail.includes('cannot carry them') === true,
        'It says why nothing was sent',
      );
      await page.isNotReceived();
      expect(page.exchanges).toHaveLength(before);
      expect(served.ran).toEqual([]);
    });
  });

  describe(`plain useChat over ${client.name}`, () => {
    it('sends edited arguments with an answer, and with the same answer sent again', async () => {
      const served = await serveFixture(payAlice);
      const { transport, breakLine, exchanges } = client.connect(served.url);
      const { result } = renderHook(() =>
        useChat({ id: 'chat', transport, sendAutomaticallyWhen: client.predicate() }),
      );
      onTestFinished(cleanup);
      await act(() => result.current.sendMessage({ text: 'Pay.' }));
      const id = openQuestion(result.current.messages);
      breakLine();
      await act(async () =>
        result.current.addToolApprovalResponse(transport.keepAnswer({ id, approved: true, input: edited })),
      );
      await waitFor(() => expect(result.current.status).toBe('error'));
      await act(() => result.current.sendMessage());
      await waitFor(() => expect(result.current.status).toBe('ready'));
      expect(answersOf(exchanges.at(-1)?.body)).toEqual([{ approvalId: id, approved: true, input: edited }]);
      expect(inputsOf(served)).toEqual([edited]);
    });
  });

  describe(`useApprovalChat over ${client.name}: updates of a page`, () => {
    it('shows the draft, each call and the phase while a turn asks twice', async () => {
      const { tools, effects } = databaseTools();
      const served = await serveFixture(workedExample, { tools });
      const page = await openPage(client, served);
      await page.say('Search and update database');
      await page.asks('search_database');
      expect(page.chat).toMatchObject({ phase: 'waiting', draft: 'Let me look.' });
      expect(page.call('search_database')?.state).toBe('asking');
      await page.approve();
      await page.asks('update_database');
      expect(page.chat.draft).toBe('Let me look.\n\nFound 10 users.');
      expect(page.call('search_database')).toMatchObject({ state: 'withheld', answer: { approved: true } });
      await page.deny(undefined, { reason: 'Not now.' });
      await page.becomes('idle');
      expect(page.chat).toMatchObject({ draft: '', question: undefined });
      expect(page.call('search_database')?.state).toBe('done');
      expect(page.call('update_database')).toMatchObject({
        state: 'denied',
        approval: { reason: 'Not now.' },
      });
      const last = page.chat.messages.at(-1);
      expect(last && page.chat.itemsOf(last).map(({ type }) => type)).toContain('text');
      expect(effects).toEqual(['searched users']);
    });

    it('shows a call while the model writes it, and asks when it is made [T18]', async () => {
      const halfway = barrier();
      const after = barrier();
      const served = await serveFixture([
        [
          ...[{ text: 'Let me pay.' }, { writes: 'pay', id: 'c1', input: '{"to":"alice",' }],
          ...[{ wait: halfway.wait }, { writes: 'pay', id: 'c1', input: '"amount":30}' }],
          ...[{ wait: after.wait }, { call: 'pay', id: 'c1', input: { to: 'alice', amount: 30 } }],
        ],
      ]);
      const page = await openPage(client, served);
      const shows = (input: unknown) =>
        page.seen((chat) => {
          const last = chat.messages.at(-1);
          const items = last?.role === 'assistant' ? chat.itemsOf(last) : [];
          const written = items.flatMap((item) => ('call' in item ? [item.call] : []));
          return written.some((call) => call.state === 'preparing' && isDeepStrictEqual(call.input, input));
        }, 'It is written');
      await page.say('Pay.');
      await shows('{"to":"alice",');
      expect(page.chat).toMatchObject({ phase: 'running', draft: 'Let me pay.' });
      halfway.lift();
      await shows({ to: 'alice', amount: 30 });
      after.lift();
      await page.asks('pay');
      expect(page.call('pay')).toMatchObject({ state: 'asking', input: { to: 'alice', amount: 30 } });
    });

    it('continues when the question was answered elsewhere', async () => {
      const { served, page } = await asked();
      await page.becomes('waiting');
      await answerElsewhere(served, page.chat.question?.id, undefined, 'From afar.');
      await page.becomes('idle');
      await page.seen(() => page.call('pay')?.state === 'done', 'It is done');
      expect(page.call('pay')?.answer).toMatchObject({ by: { name: 'Ada' }, reason: 'From afar.' });
      expect(served.ran).toHaveLength(1);
    });

    it('shows the vote of another person, and that it has voted on another page [ADR 0047]', async () => {
      const toolDetails = { pay: { approvers: () => true, votes: { count: 3 } } };
      const { served, page } = await asked(payAlice, {
        mayChange: () => true,
        toolDetails,
        plugins: [votes()],
      } as never);
      await page.becomes('waiting');
      const id = page.chat.question?.id;
      await answerElsewhere(served, id, 'ben');
      await page.seen(({ question }) => question?.answers?.length === 1, 'It has a vote');
      expect(page.chat.question).toMatchObject({
        id,
        mayAnswer: true,
        answers: [{ by: { id: 'ben' } }],
      });
      await answerElsewhere(served, id, 'ada');
      await page.seen(({ question }) => question?.answers?.length === 2, 'It has two votes');
      expect(page.chat.question).toMatchObject({ id, mayAnswer: false, hasAnswered: true });
      expect(served.ran).toEqual([]);
      await answerElsewhere(served, id, 'cleo');
      await page.becomes('idle');
      await page.seen(() => page.call('pay')?.state === 'done', 'It is done');
      expect(served.ran).toHaveLength(1);
    });

    it('reports a second answer as too late without the feed', async () => {
      const { served, page } = await asked(payAlice, {}, { feed: false });
      await answerElsewhere(served, page.chat.question?.id);
      await page.deny();
      await page.seen(() => page.call('pay')?.state === 'done', 'The first answer stands');
      expect(served.ran).toHaveLength(1);
    });
  });

  describe(`useApprovalChat over ${client.name}: stop and retry`, () => {
    it('stop ends the run on the server and keeps the text on screen throughout', async () => {
      const midway = barrier();
      const script = [[{ text: 'Let me look.' }, { wait: midway.wait }, { text: ' More.' }]];
      const served = await serveFixture(script);
      const page = await openPage(client, served);
      await page.say('Look.');
      await page.seen(({ draft }) => draft === 'Let me look.', 'It is written');
      page.rendered.length = 0;
      await act(() => page.chat.stop());
      midway.lift();
      await page.becomes('idle');
      const stored = await loadChat('chat', served);
      expect(stored).toMatchObject({ type: 'loaded', chat: { run: { status: 'idle' } } });
      expect(plain(page.chat.messages)).toEqual(stored.type === 'loaded' && stored.chat.messages);
      const shown = page.rendered.map(({ draft, messages }) => `${draft} ${textIn(messages)}`);
      expect(shown.filter((text) => !text.includes('Let me look.'))).toEqual([]);
    });

    it('stop withdraws the open question', async () => {
      const { served, page } = await asked();
      await act(() => page.chat.stop());
      await page.becomes('idle');
      expect(page.chat.question).toBeUndefined();
      expect(page.call('pay')?.state).toBe('withdrawn');
      expect(served.ran).toEqual([]);
    });

    it('retry sends a message that did not arrive', async () => {
      const served = await serveFixture([[{ text: 'Hello.' }]]);
      const page = await openPage(client, served);
      page.breakLine();
      await page.say('Hello?');
      await page.becomes('failed');
      await page.retry();
      await page.becomes('idle');
      expect(textIn(page.chat.messages)).toContain('Hello.');
      expect(page.chat.messages).toHaveLength(2);
    });

    it('a message that did not arrive cancels nothing: the question can be answered, and the message sent then [H8]', async () => {
      const script = [
        [{ text: 'I pay.' }, pay('alice', 30), pay('bob', 40)],
        [{ text: 'Paid.' }],
        [{ text: 'You are welcome.' }],
      ];
      const { served, page } = await asked(script);
      page.breakLine();
      await page.say('Thanks.');
      await page.seen(({ failure }) => failure?.kind === 'network', 'It is lost');
      const [, reply] = page.chat.messages;
      const kindsOf = (message: UIMessage | undefined) =>
        message && page.chat.itemsOf(message).map(({ type }) => type);
      expect(kindsOf(reply)).toEqual(['question']);
      await act(async () => void window.dispatchEvent(new Event('online')));
      await page.seen(({ draft }) => draft === 'I pay.', 'It has its draft');
      expect(kindsOf(reply)).toEqual(['draft', 'question']);
      expect(page.call('pay')?.state).toBe('asking');
      await page.approve();
      await page.seen(
        ({ question }) => question?.id !== undefined && question.position?.index === 2,
        'It asks again',
      );
      await page.seen(
        ({ failure, messages }) => failure !== undefined && messages.length === 3,
        'It is kept',
      );
      await page.approve();
      await page.seen(({ messages }) => textIn(messages.slice(0, 2)).includes('Paid.'), 'It is paid');
      await page.seen(({ messages }) => messages.length === 3, 'It is kept');
      expect(inputsOf(served)).toHaveLength(2);
      await page.retry();
      await page.becomes('idle');
      expect(textIn(page.chat.messages)).toBe('Pay. I pay. Paid. Thanks. You are welcome.');
    });

    it('a message that is being sent makes no claim about the question, and its reply cancels it [H8]', async () => {
      const { wait, lift } = barrier();
      const { page } = await asked(
        [[pay('alice', 30)], [{ text: 'All right.' }]],
        {},
        {
          override: (transport) => ({
            ...transport,
            keepAnswer: transport.keepAnswer,
            reconnectToStream: (options) => transport.reconnectToStream(options),
            async sendMessages(options) {
              if (options.messages.length > 2) await wait;
              return transport.sendMessages(options);
            },
          }),
        },
      );
      await page.say('Never mind.');
      await page.becomes('running');
      expect(page.chat.question).toBeUndefined();
      expect(page.call('pay')?.state).toBe('asking');
      lift();
      await page.becomes('idle');
      await page.seen(
        ({ tools }) => [...tools.values()].every(({ state }) => state === 'withdrawn'),
        'It is withdrawn',
      );
      expect(textIn(page.chat.messages)).toBe('Pay. Never mind. All right.');
    });
  });
}

/** Delays the stream, from its first chunk, until a promise resolves. */
function heldBy(stream: ReadableStream<UIMessageChunk>, wait: Promise<void>): ReadableStream<UIMessageChunk> {
  return stream.pipeThrough(
    new TransformStream({
      async transform(chunk, controller) {
        await wait;
        controller.enqueue(chunk);
      },
    }),
  );
}

function answersOf(body: Readonly<Record<string, unknown>> | undefined): unknown {
  const inner = body?.body;
  return (
    body?.answers ?? (typeof inner === 'object' && inner !== null && 'answers' in inner ? inner.answers : [])
  );
}

function textIn(messages: readonly UIMessage[]): string {
  return messages
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])))
    .join(' ');
}
