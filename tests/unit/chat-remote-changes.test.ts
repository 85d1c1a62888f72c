import type { UIMessage } from 'ai';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createChangeReader } from '../../lib/client/chat/remote-changes.ts';
import type { FeedConnection } from '../../lib/client/inbox/feed/approval-feed-reader.ts';
import { readApprovalFeed } from '../../lib/client/inbox/feed/read-approval-feed.ts';
import { waitFor } from '../support/wait-for.ts';

/** A message with a call whose approval was answered, and what is known of its outcome. */
function message(outcome: 'unknown' | 'failed'): UIMessage {
  const part = {
    type: 'tool-pay',
    toolCallId: 'call-1',
    state: 'output-error',
    input: {},
    errorText: 'outcome-unknown: the server went away while it ran.',
    approval: { id: 'question-1', approved: true },
    toolMetadata: { countersign: { outcome } },
  };
  return { id: 'answer', role: 'assistant', parts: [part as never] };
}

/** A page that shows such a message, and a feed that says that a question has changed. */
function page(
  outcome: 'unknown' | 'failed',
  changed: string,
  more: { readonly messages?: readonly UIMessage[]; readonly changed?: object } = {},
) {
  const synchronize = vi.fn(async () => {});
  const question = {
    id: changed,
    chatId: 'chat',
    toolCallId: 'call-1',
    toolName: 'pay',
    input: {},
    description: 'Pay.',
    askedBy: { id: 'ada', name: 'Ada' },
    requestedAt: '2030-01-01T00:00:00.000Z',
    state: 'approved',
    mayAnswer: true,
    mayEdit: true,
    mayRemember: true,
    ...more.changed,
  };
  const type = question.state === 'open' ? 'opened' : 'settled';
  const frame = `id: 1\nevent: ${type}\ndata: ${JSON.stringify(question)}\n\n`;
  const fetch = async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(frame));
        return new Promise(() => {});
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const feed = vi.fn();
  const { reader } = createChangeReader({
    chat: { id: 'chat', messages: more.messages ?? [message(outcome)] },
    isAtRest: () => true,
    ...{ feed, synchronize, catchUp: async () => {}, onLost() {} },
  });
  onTestFinished(readApprovalFeed({ api: '/api/approvals', fetch }, reader));
  return { synchronize, feed };
}

it('loads the chat again when an outcome becomes known for a question that was settled long ago', async () => {
  const { synchronize } = page('unknown', 'question-1');
  await waitFor(() => expect(synchronize).toHaveBeenCalledTimes(1));
});

it.each([
  ['a call whose outcome is known', 'failed', 'question-1'],
  ['another call', 'unknown', 'question-2'],
] as const)('does not load the chat again for %s', async (_name, outcome, changed) => {
  const { synchronize, feed } = page(outcome, changed);
  await waitFor(() => expect(feed).toHaveBeenCalled());
  expect(synchronize).not.toHaveBeenCalled();
});

it.each<[string, boolean, readonly FeedConnection[], number]>([
  ['a first connection', false, ['live'], 0],
  ['a first connection, if it came with the page', true, ['connecting', 'live'], 1],
  ['a connection that was lost before it was there, if it came with the page', true, ['lost', 'live'], 1],
  ['each connection that is back', true, ['live', 'lost', 'live', 'live'], 2],
])('compares the chat with the server at %s', (_name, isBehind, connections, times) => {
  const catchUp = vi.fn(async () => {});
  const { reader } = createChangeReader({
    ...{ chat: { id: 'chat', messages: [] }, isAtRest: () => true, isBehind, catchUp },
    ...{ feed() {}, synchronize: async () => {}, onLost() {} },
  });
  for (const connection of connections) reader.onConnection?.(connection);
  expect(catchUp).toHaveBeenCalledTimes(times);
});

it('learns how far its open question was escalated, without loading the chat again', async () => {
  const plugins = { escalation: { steps: [], step: 1 } };
  const approval = { id: 'question-1', descriptor: { plugins: { escalation: { steps: [], step: 0 } } } };
  const part = { type: 'tool-pay', toolCallId: 'call-1', state: 'approval-requested', input: {}, approval };
  const { synchronize, feed } = page('unknown', 'question-1', {
    messages: [{ id: 'answer', role: 'assistant', parts: [part as never] }],
    changed: { state: 'open', plugins },
  });
  const question = expect.objectContaining({ id: 'question-1', plugins });
  await waitFor(() => expect(feed).toHaveBeenCalledWith({ type: 'changed', question }));
  expect(synchronize).not.toHaveBeenCalled();
});
