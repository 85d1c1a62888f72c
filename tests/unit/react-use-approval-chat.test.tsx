// @vitest-environment jsdom
import { type UseChatHelpers, useChat } from '@ai-sdk/react';
import { cleanup, configure, renderHook, waitFor } from '@testing-library/react';
import type { ChatTransport, UIDataTypes, UIMessage } from 'ai';
import { DefaultChatTransport } from 'ai';
import { createBidiTransport } from 'countersign/bidi';
import type { FeedReader } from 'countersign/client';
import {
  type ApprovalChatState,
  type QuestionOf,
  type StoredChat,
  useApprovalChat,
  useStoredChat,
} from 'countersign/react';
import { createSseTransport, sendAutomaticallyWhen } from 'countersign/sse';
import { type ReactNode, StrictMode, useSyncExternalStore } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { streamOf } from '../../lib/testing/stream-of.ts';

configure({ asyncUtilTimeout: 10_000 });

type Tools = {
  pay: { input: { to: string; amount: number }; output: string };
  search: { input: { query: string }; output: string[] };
};
type Message = UIMessage<unknown, UIDataTypes, Tools>;

const asked: Message[] = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] },
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-pay',
        toolCallId: 'c1',
        state: 'approval-requested',
        input: { to: 'bob', amount: 3 },
        approval: { id: 'q1', descriptor: { description: 'Pay Bob 3.', mayEdit: true } },
      },
    ],
  },
];

const transport = createSseTransport<Message>();
const open = { id: 'c', messages: asked, transport, sendAutomaticallyWhen, feed: false };

/** A page as a server renders it and a browser hydrates it, with the browser's own order of effects. */
function hydrated(page: ReactNode): HTMLElement {
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = renderToString(page);
  const root = hydrateRoot(place, page);
  onTestFinished(() => root.unmount());
  return place;
}

describe('useApprovalChat', () => {
  afterEach(cleanup);

  it('returns everything that useChat returns', () => {
    const { result: plain } = renderHook(() => useChat<Message>({ id: 'c', messages: asked, transport }));
    const { result } = renderHook(() => useApprovalChat<Message>(open));
    expect(Object.keys(result.current)).toEqual(expect.arrayContaining(Object.keys(plain.current)));
    expectTypeOf<ApprovalChatState<Message>>().toExtend<UseChatHelpers<Message>>();
  });

  it('returns the open question, with the typed input of its tool', () => {
    const { result } = renderHook(() => useApprovalChat<Message>(open));
    const { question } = result.current;
    expect(question).toMatchObject({ id: 'q1', chatId: 'c', description: 'Pay Bob 3.', mayEdit: true });
    if (question?.toolName === 'pay') {
      expectTypeOf(question.input).toEqualTypeOf<{ to: string; amount: number }>();
      expect(question.input.amount).toBe(3);
    }
    expectTypeOf<QuestionOf<Message>['toolName']>().toEqualTypeOf<'pay' | 'search'>();
    expectTypeOf<QuestionOf<UIMessage>['input']>().toBeUnknown();
  });

  it('accepts our transports, and any other of the SDK', () => {
    type Given = Parameters<typeof useApprovalChat<Message>>[0]['transport'];
    const given: Given[] = [
      createBidiTransport<Message>({ url: 'ws://127.0.0.1' }),
      new DefaultChatTransport<Message>(),
    ];
    expect(given.map((one) => one.keepAnswer !== undefined)).toEqual([true, false]);
    // @ts-expect-error a transport goes with its predicate
    expect(() => useApprovalChat({ transport })).toThrow();
  });

  it('answers no question that is not open', () => {
    const { result } = renderHook(() => useApprovalChat<Message>({ ...open, messages: asked.slice(0, 1) }));
    expect(result.current.approve()).toBe(false);
    expect(result.current.deny('q1')).toBe(false);
    expect(result.current.question).toBeUndefined();
  });

  it('keeps its functions the same between renderings', () => {
    const { result, rerender } = renderHook(() => useApprovalChat<Message>(open));
    const before = result.current;
    rerender();
    for (const name of ['approve', 'deny', 'stop', 'retry', 'sendMessage', 'setMessages'] as const) {
      expect(result.current[name]).toBe(before[name]);
    }
  });

  it('renders on the server, and twice in development', () => {
    const Page = () => <p>{useApprovalChat<Message>(open).question?.description}</p>;
    expect(renderToString(<Page />)).toBe('<p>Pay Bob 3.</p>');
    const { result } = renderHook(() => useApprovalChat<Message>(open), { wrapper: StrictMode });
    expect(result.current.phase).toBe('waiting');
  });

  it('resumes over the transport that the browser chooses when it hydrates the page', async () => {
    const resumed: string[] = [];
    const over = (name: string): ChatTransport<Message> => ({
      sendMessages: async () => streamOf([]),
      async reconnectToStream() {
        resumed.push(name);
        return null;
      },
    });
    const transports = { server: over('server'), browser: over('browser') };
    function Page() {
      const name = useSyncExternalStore<'server' | 'browser'>(
        () => () => {},
        () => 'browser',
        () => 'server',
      );
      useApprovalChat<Message>({ ...open, resume: true, transport: transports[name] });
      return name;
    }
    const place = hydrated(<Page />);
    await waitFor(() => expect(resumed.length).toBeGreaterThan(0));
    expect(place.textContent).toBe('browser');
    expect(resumed).toEqual(['browser']);
  });

  it('shows what has changed between the page that the server sent and the first connection', async () => {
    const sent = { id: 'c', messages: asked.slice(0, 1), run: { status: 'idle' }, questions: [] };
    const fetch = async () => Response.json({ ...sent, messages: asked, open: 'q1' });
    const feed = ({ onConnection }: FeedReader) => {
      onConnection?.('live');
      return () => {};
    };
    function Chat({ stored }: { stored: StoredChat<Message> }) {
      const { messages, ...rest } = open;
      return useApprovalChat<Message>({ ...rest, stored, fetch, feed }).question?.description;
    }
    function Page() {
      const loading = useStoredChat<Message>({ id: 'c', sent, fetch });
      return loading.type === 'ready' && <Chat stored={loading.chat} />;
    }
    const place = hydrated(<Page />);
    await waitFor(() => expect(place.textContent).toBe('Pay Bob 3.'));
  });
});
