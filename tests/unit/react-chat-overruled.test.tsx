// @vitest-environment jsdom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react';
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { useApprovalChat } from 'countersign/react';
import { createSendAutomaticallyWhen } from 'countersign/sse';
import { afterEach, describe, expect, it } from 'vitest';
import { watchedTransport } from '../../lib/client/chat/requests/watched-transport.ts';
import { streamOf } from '../../lib/testing/stream-of.ts';

configure({ asyncUtilTimeout: 10_000 });

const asked: UIMessage[] = [
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
        input: { to: 'bob' },
        approval: { id: 'q1' },
      },
    ],
  },
];
const begin: UIMessageChunk[] = [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }];
const end: UIMessageChunk[] = [{ type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }];
const counts = (approved: boolean): UIMessageChunk => ({
  type: 'tool-approval-response',
  approvalId: 'q1',
  approved,
});

/** A page that approved. The reply arrives as the test says; `states` has all that the page showed of the call since. */
async function approved() {
  const reply = new TransformStream<UIMessageChunk, UIMessageChunk>();
  const writer = reply.writable.getWriter();
  const transport: ChatTransport<UIMessage> = {
    reconnectToStream: async () => null,
    sendMessages: async () => reply.readable,
  };
  const states: string[] = [];
  const { result } = renderHook(() => {
    const chat = useApprovalChat<UIMessage>({
      ...{ id: 'c', messages: asked, transport, feed: false, throttle: 1 },
      sendAutomaticallyWhen: createSendAutomaticallyWhen({ clientTools: [] }),
    });
    const call = chat.tools.get('c1');
    const state = `${call?.state}${call?.approval ? ` ${call.approval.approved}` : ''}`;
    if (states.at(-1) !== state) states.push(state);
    return chat;
  });
  act(() => expect(result.current.approve()).toBe(true));
  const receive = (...chunks: readonly UIMessageChunk[]) =>
    act(async () => {
      for (const chunk of chunks) await writer.write(chunk);
    });
  return { result, states, receive, close: () => act(() => writer.close()) };
}

describe('a reply', () => {
  it.each([
    ['that repeats the answer', [counts(true)], ['q1']],
    ['that repeats another answer', [counts(false)], []],
    ['that repeats none', [], ['q1']],
  ])('%s is reported once, however long it is', async (_what, repeated, acknowledged) => {
    const reports = { replied: [] as string[][], acknowledged: [] as string[][] };
    const [user, answer] = asked;
    const part = { ...answer?.parts[1], state: 'approval-responded', approval: { id: 'q1', approved: true } };
    const words = Array.from({ length: 5 }, () => ({ type: 'text-delta', id: 't', delta: 'Paid.' }) as const);
    const transport = watchedTransport<UIMessage>(
      () => ({
        reconnectToStream: async () => null,
        sendMessages: async () => streamOf([...begin, ...repeated, ...words, ...end]),
      }),
      {
        ...{ began() {}, resuming() {}, asked() {}, leftOpen() {}, answers: () => [] },
        replied: (ids) => void reports.replied.push([...ids]),
        acknowledged: (ids) => void reports.acknowledged.push([...ids]),
      },
    );
    const stream = await transport.sendMessages({
      ...{ trigger: 'submit-message', chatId: 'c', messageId: undefined, abortSignal: undefined },
      messages: [user, { ...answer, parts: [part] }] as UIMessage[],
    });
    await stream.pipeTo(new WritableStream());
    expect(reports.replied).toEqual([['q1']]);
    expect(reports.acknowledged).toEqual(acknowledged.map((id) => [id]));
  });
});

describe('an approval is shown as one', () => {
  afterEach(cleanup);

  it('once the reply says that it counts', async () => {
    const { states, receive } = await approved();
    await receive(...begin);
    await waitFor(() => expect(states).toEqual(['asking', 'sending']));
    await receive(counts(true));
    await waitFor(() => expect(states).toEqual(['asking', 'sending', 'approved true']));
  });

  it('never, if the reply says that a denial was first', async () => {
    const { result, states, receive, close } = await approved();
    await receive(...begin, counts(false));
    await waitFor(() => expect(states).toEqual(['asking', 'sending', 'denied false']));
    await receive({ type: 'tool-output-denied', toolCallId: 'c1' }, ...end);
    await close();
    await waitFor(() => expect(result.current.phase).toBe('idle'));
    expect(states).toEqual(['asking', 'sending', 'denied false']);
    expect(result.current.failure).toBeUndefined();
  });

  it('if the server repeats no answers, once the turn continues', async () => {
    const { states, receive } = await approved();
    await receive(...begin, { type: 'tool-output-available', toolCallId: 'c1', output: 'paid' });
    await waitFor(() => expect(states.at(-1)).toBe('done true'));
    expect(states).not.toContain('denied false');
  });

  it('if the reply is empty, when it ends', async () => {
    const { states, receive, close } = await approved();
    await receive(...begin);
    await close();
    await waitFor(() => expect(states.at(-1)).toBe('approved true'));
  });
});
