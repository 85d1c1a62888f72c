import '../support/dom.ts';
import { act, cleanup, renderHook } from '@testing-library/react';
import {
  ApprovalChat,
  type ApprovalChatOptions,
  type ApprovalChatState,
  Inbox,
  loadChat,
} from 'countersign/client';
import { useApprovalChat } from 'countersign/react';
import { readable } from 'svelte/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp, h, onScopeDispose, shallowRef } from 'vue';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { pay } from '../support/chat-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

/** A page in some framework: what it shows now, and its end. */
type Page = {
  readonly text: () => string;
  readonly chat: () => ApprovalChatState;
  readonly leave: () => void;
};

const textOf = ({ phase, question, draft, tools }: ApprovalChatState): string =>
  [phase, question?.description, draft, ...[...tools.values()].map(({ state }) => state)]
    .filter((word) => word !== undefined && word !== '')
    .join(' | ');

function reactPage(options: ApprovalChatOptions): Page {
  const { result, unmount } = renderHook(() => useApprovalChat(options));
  onTestFinished(cleanup);
  return { text: () => textOf(result.current), chat: () => result.current, leave: unmount };
}

function vuePage(options: ApprovalChatOptions): Page {
  const chat = new ApprovalChat(options);
  const app = createApp({
    setup() {
      const state = shallowRef(chat.getState());
      onScopeDispose(
        chat.subscribe(() => {
          state.value = chat.getState();
        }),
      );
      return () => h('p', textOf(state.value));
    },
  });
  const container = document.createElement('div');
  app.mount(container);
  return { text: () => container.textContent ?? '', chat: chat.getState, leave: () => app.unmount() };
}

function sveltePage(options: ApprovalChatOptions): Page {
  const chat = new ApprovalChat(options);
  const state = readable(chat.getState(), (set) => chat.subscribe(() => set(chat.getState())));
  let text = '';
  const leave = state.subscribe((now) => {
    text = textOf(now);
  });
  return { text: () => text, chat: chat.getState, leave };
}

const script = [[{ text: 'I pay.' }, pay('alice', 30)], [{ text: 'Paid.' }]];

describe.each([
  ['React', reactPage],
  ['Vue', vuePage],
  ['Svelte', sveltePage],
] as const)('ApprovalChat in %s', (_name, open) => {
  it.each([sseClient, bidiClient])(
    'asks, runs the edited arguments once and ends, over $name',
    async (client) => {
      const { url, api, ran } = await serveFixture(script);
      const { transport } = client.connect(url);
      const common = {
        transport,
        sendAutomaticallyWhen: client.predicate(),
        api,
        approvalsApi: `${url}/api/approvals`,
      };
      const page = open({ ...common, id: 'chat' });
      const shows = (text: string) => waitFor(() => expect(page.text()).toBe(text));

      await shows('idle');
      await act(async () => void page.chat().sendMessage({ text: 'Pay.' }));
      await shows('waiting | Run pay. | I pay. | asking');
      expect(page.chat().deny('another question')).toBe(false);
      await act(async () => {
        expect(page.chat().approve(undefined, { input: { to: 'alice', amount: 3 } })).toBe(true);
        expect(page.chat().approve()).toBe(false);
      });
      await shows('idle | done');
      expect(ran.map(({ input }) => input)).toEqual([{ to: 'alice', amount: 3 }]);
    },
  );

  it('follows a stored chat with its first listener, and reads nothing after its last', async () => {
    const { url, api, ran } = await serveFixture(script);
    const { transport } = sseClient.connect(url);
    const reading: AbortSignal[] = [];
    const recorded: typeof fetch = (target, init) => {
      if (String(target).endsWith('/events') && init?.signal) reading.push(init.signal);
      return fetch(target, init);
    };
    const common = { transport, sendAutomaticallyWhen: sseClient.predicate(), api, fetch: recorded };
    const first = open({ ...common, id: 'chat', feed: false });
    await act(async () => void first.chat().sendMessage({ text: 'Pay.' }));
    await waitFor(() => expect(first.chat().phase).toBe('waiting'));
    first.leave();
    expect(reading).toEqual([]);

    const loaded = await loadChat('chat', { api });
    if (loaded.type !== 'loaded') throw new Error('The chat is not stored.');
    const page = open({ ...common, stored: loaded.chat, approvalsApi: `${url}/api/approvals` });
    await waitFor(() => expect(page.text()).toBe('waiting | Run pay. | I pay. | asking'));
    await waitFor(() => expect(reading.map(({ aborted }) => aborted)).toEqual([false]));
    const answered = await fetch(`${url}/api/approvals/${page.chat().question?.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ approved: true }),
    });
    expect(answered.status).toBe(200);
    await waitFor(() => expect(page.text()).toBe('idle | done'));
    expect(ran).toHaveLength(1);
    page.leave();
    expect(reading.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('Inbox in Svelte', () => {
  it('shows the open questions of all chats, takes an answer, and reads nothing after its last listener', async () => {
    const { url, chat, ran } = await serveFixture(script);
    await chat('first').say('Pay.');
    const reading: AbortSignal[] = [];
    const recorded: typeof fetch = (target, init) => {
      if (String(target).endsWith('/events') && init?.signal) reading.push(init.signal);
      return fetch(target, init);
    };
    const inbox = new Inbox({ api: `${url}/api/approvals`, fetch: recorded });
    const state = readable(inbox.getState(), (set) => inbox.subscribe(() => set(inbox.getState())));
    let shown: readonly string[] = [];
    const leave = state.subscribe(({ questions }) => {
      shown = questions.map((question) => `${question.description} ${question.state}`);
    });
    await waitFor(() => expect(shown).toEqual(['Run pay. open']));
    const id = inbox.getState().questions[0]?.id ?? '';
    expect(await inbox.getState().answer(id, { approved: true })).toMatchObject({ type: 'answered' });
    expect(shown).toEqual(['Run pay. approved']);
    await waitFor(() => expect(ran).toHaveLength(1));
    expect(reading.map(({ aborted }) => aborted)).toEqual([false]);
    leave();
    expect(reading.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
