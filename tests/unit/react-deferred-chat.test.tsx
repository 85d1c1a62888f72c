// @vitest-environment jsdom
// depends on: lib/react/chat lib/client/chat
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react';
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { ApprovalChat } from 'countersign/client';
import { type StoredChat, useDeferredChat } from 'countersign/react';
import { createSendAutomaticallyWhen } from 'countersign/sse';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FeedReader } from '../../lib/client/inbox/feed/approval-feed-reader.ts';
import { streamOf } from '../../lib/testing/stream-of.ts';

configure({ asyncUtilTimeout: 10_000 });
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const call = { type: 'tool-pay', toolCallId: 'c1', input: { to: 'bob' } } as const;
const question = { ...call, state: 'approval-requested', approval: { id: 'q1' } } as const;
const paid = { ...call, toolCallId: 'c0', state: 'output-available', output: 'paid' } as const;

type Parts = UIMessage['parts'];

const storedWith = (parts: Parts, run: StoredChat['run']['status'], open?: string): StoredChat => ({
  ...{ id: 'c', title: '', questions: [], run: { status: run }, ...(open !== undefined && { open }) },
  messages: [
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] },
    { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, ...parts] },
  ],
});
const asked = storedWith([question], 'waiting', 'q1');

const rest: UIMessageChunk[] = [
  { type: 'start' },
  { type: 'start-step' },
  { type: 'tool-output-available', toolCallId: 'c1', output: 'paid' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
];

/** A page with a stored chat. @param failures how often the module cannot be loaded */
function pageOf(stored: StoredChat, { failures = 0, server = stored } = {}) {
  const sent: UIMessage[] = [];
  const transport: ChatTransport<UIMessage> = {
    resumeStreamIsReplay: true,
    reconnectToStream: async () => null,
    async sendMessages({ messages }) {
      sent.push(structuredClone(messages.at(-1) as UIMessage));
      return streamOf(rest);
    },
  };
  const readers: FeedReader[] = [];
  const fetched: string[] = [];
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= failures) throw new TypeError('Failed to fetch a module.');
    return {
      ApprovalChat,
      transport,
      sendAutomaticallyWhen: createSendAutomaticallyWhen({ clientTools: [] }),
    };
  });
  const feed = (reader: FeedReader) => {
    readers.push(reader);
    return () => void readers.splice(readers.indexOf(reader), 1);
  };
  const fetch: typeof globalThis.fetch = async (address) => {
    fetched.push(String(address));
    return Response.json(server);
  };
  const { result } = renderHook(() => useDeferredChat({ stored, load, feed, fetch }));
  const reports = (connection: 'lost' | 'live') => {
    for (const reader of readers) reader.onConnection?.(connection);
  };
  return { result, sent, load, readers, fetched, reports };
}

describe('a stored chat whose page has not loaded the SDK', () => {
  it('shows its question, and sends an answer once the SDK is loaded, for the first answer only', async () => {
    const { result, sent, load, readers } = pageOf(asked);
    expect(result.current).toMatchObject({ phase: 'waiting', status: 'ready', question: { id: 'q1' } });
    expect(load).not.toHaveBeenCalled();
    act(() => {
      expect(result.current.approve('q2')).toBe(false);
      expect(result.current.approve()).toBe(true);
      expect(result.current.deny()).toBe(false);
    });
    expect(result.current.phase).toBe('running');
    await waitFor(() => expect(result.current.phase).toBe('idle'));
    expect(sent.map(({ parts }) => parts.at(-1))).toMatchObject([{ approval: { id: 'q1', approved: true } }]);
    expect(result.current.messages.at(-1)?.parts).toContainEqual(expect.objectContaining({ output: 'paid' }));
    expect(load).toHaveBeenCalledTimes(1);
    expect(readers).toHaveLength(1);
  });

  it('keeps an answer for which the SDK could not be loaded, and asks again', async () => {
    const { result, sent } = pageOf(asked, { failures: 1 });
    act(() => expect(result.current.approve(undefined, { reason: 'Due.' })).toBe(true));
    await waitFor(() => expect(result.current.failure?.kind).toBe('not-received'));
    expect(result.current).toMatchObject({
      phase: 'waiting',
      lastAnswer: { approved: true, reason: 'Due.' },
    });
    act(() => expect(result.current.deny()).toBe(true));
    await waitFor(() => expect(result.current.phase).toBe('idle'));
    expect(sent.map(({ parts }) => parts.at(-1))).toMatchObject([{ approval: { approved: false } }]);
    expect(result.current.failure).toBeUndefined();
  });

  it('keeps a message for which the SDK could not be loaded, and sends it at the next attempt', async () => {
    const { result, sent } = pageOf(storedWith([paid], 'idle'), { failures: 1 });
    await act(() => result.current.sendMessage({ text: 'Again.' }));
    await waitFor(() =>
      expect(result.current).toMatchObject({ phase: 'failed', failure: { kind: 'network' } }),
    );
    await act(() => result.current.retry());
    await waitFor(() => expect(sent.map(({ parts }) => parts)).toEqual([[{ type: 'text', text: 'Again.' }]]));
  });

  it.each([
    ['a question alone', [question], 'waiting', 'q1', 0],
    ['nothing', [paid], 'idle', undefined, 0],
    ['a question beside calls, whose reports are not stored', [paid, question], 'waiting', 'q1', 1],
    ['an active run', [paid], 'active', undefined, 1],
  ] as const)('loads it only to follow what is not stored: %s', async (_, parts, run, open, loads) => {
    const { load } = pageOf(storedWith([...parts], run, open));
    await act(async () => {});
    expect(load).toHaveBeenCalledTimes(loads);
  });

  it.each([
    ['sent with the page', { ...asked, isFromPage: true }, ['live', 'live'], 1],
    ['loaded by the page', asked, ['live', 'live'], 0],
    ['loaded before the feed was lost', asked, ['live', 'lost', 'live'], 1],
  ] as const)('is read again when it may be outdated: %s', async (_, stored, connections, reads) => {
    const answered = storedWith([{ ...call, state: 'output-available', output: 'paid' }], 'idle');
    const { result, fetched, reports, load } = pageOf(stored, { server: answered });
    for (const connection of connections) await act(async () => reports(connection));
    expect(fetched).toEqual(Array(reads).fill('/api/chat/c'));
    expect(result.current.question?.id).toBe(reads === 0 ? 'q1' : undefined);
    expect(load).not.toHaveBeenCalled();
  });
});
