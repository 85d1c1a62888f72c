// @vitest-environment jsdom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react';
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { useApprovalChat } from 'countersign/react';
import { createSendAutomaticallyWhen } from 'countersign/sse';
import { afterEach, describe, expect, it } from 'vitest';
import { streamOf } from '../../lib/testing/stream-of.ts';

configure({ asyncUtilTimeout: 10_000 });

const question = {
  type: 'tool-pay',
  toolCallId: 'c1',
  state: 'approval-requested',
  input: { to: 'bob' },
  approval: { id: 'q1' },
} as const;
const asked: UIMessage[] = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] },
  { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, question] },
];
const replay: UIMessageChunk[] = [
  { type: 'start', messageId: 'a1' },
  { type: 'start-step' },
  { type: 'tool-input-start', toolCallId: 'c1', toolName: 'pay' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'pay', input: { to: 'bob' } },
  { type: 'tool-approval-request', approvalId: 'q1', toolCallId: 'c1' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
];
const rest: UIMessageChunk[] = [
  { type: 'start' },
  { type: 'start-step' },
  { type: 'tool-output-available', toolCallId: 'c1', output: 'paid' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
];

/** A chat whose page was reloaded while it waits. The transport reconnects when the test says so. */
function reloaded(clientTools: readonly string[] = []) {
  const sent: UIMessage[] = [];
  const reconnecting = Promise.withResolvers<ReadableStream<UIMessageChunk> | null>();
  const transport: ChatTransport<UIMessage> = {
    resumeStreamIsReplay: true,
    reconnectToStream: () => reconnecting.promise,
    async sendMessages({ messages }) {
      sent.push(structuredClone(messages.at(-1) as UIMessage));
      return streamOf(rest);
    },
  };
  const { result } = renderHook(() =>
    useApprovalChat<UIMessage>({
      ...{ id: 'c', messages: asked, transport, clientTools, feed: false, resume: true },
      sendAutomaticallyWhen: createSendAutomaticallyWhen({ clientTools }),
    }),
  );
  return { result, sent, reconnecting };
}

const sentCall = { toolCallId: 'c1', approval: { id: 'q1', approved: true } };

describe('an answer given while a reloaded page reconnects', () => {
  afterEach(cleanup);

  it('is sent once, after the replay', async () => {
    const { result, sent, reconnecting } = reloaded();
    act(() => expect(result.current.approve()).toBe(true));
    expect(sent).toEqual([]);
    await act(async () => reconnecting.resolve(streamOf(replay)));
    await waitFor(() => expect(result.current.phase).toBe('idle'));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.parts.at(-1)).toMatchObject({ ...sentCall, state: 'approval-responded' });
  });

  it('is sent if there is nothing to replay', async () => {
    const { result, sent, reconnecting } = reloaded();
    act(() => expect(result.current.approve()).toBe(true));
    await act(async () => reconnecting.resolve(null));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.parts.at(-1)).toMatchObject({ ...sentCall, state: 'approval-responded' });
  });

  it('is sent if the page could not reconnect', async () => {
    const { result, sent, reconnecting } = reloaded();
    act(() => expect(result.current.approve()).toBe(true));
    await act(async () => reconnecting.reject(new TypeError('fetch failed')));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it('lets a tool of the client run only when the chat holds it', async () => {
    const { result, sent, reconnecting } = reloaded(['pay']);
    act(() => expect(result.current.approve()).toBe(true));
    const call = () => result.current.messages.at(-1)?.parts.at(-1);
    expect(call()).toMatchObject({ state: 'approval-requested' });
    await act(async () => reconnecting.resolve(streamOf(replay)));
    await waitFor(() => expect(call()).toMatchObject({ state: 'approval-responded' }));
    await act(async () => result.current.addToolOutput({ tool: 'pay', toolCallId: 'c1', output: 'paid' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.parts.at(-1)).toMatchObject({ ...sentCall, state: 'output-available', output: 'paid' });
  });
});

describe('the output of a client tool, given while a reloaded page reconnects', () => {
  afterEach(cleanup);

  it('is sent once, after the replay', async () => {
    const { result, sent, reconnecting } = reloaded(['pay']);
    const added = result.current.addToolOutput({ tool: 'pay', toolCallId: 'c1', output: 'paid' });
    expect(sent).toEqual([]);
    const ready = replay.filter(({ type }) => type !== 'tool-approval-request');
    await act(async () => reconnecting.resolve(streamOf(ready)));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.parts.at(-1)).toMatchObject({ state: 'output-available', output: 'paid' });
    await added;
  });
});
