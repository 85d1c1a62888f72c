import { fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import {
  continueStream,
  emptyStreamState,
  reduceStreamEvent,
} from '../../../lib/plugins/two-step-stream/client/reducer.ts';
import type { StreamEvent } from '../../../lib/plugins/two-step-stream/client/schema.ts';
import { formatStreamId } from '../../../lib/protocol/ids/stream-id.ts';
import { parseChatId, type RunId } from '../../../lib/protocol/index.ts';
import { ada } from '../../support/flow-fixture.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { older, startStream, streamEvents, streamFrames } from './support/two-step-client.ts';

const pay = (to: string, amount: number) => ({ call: 'pay', id: `pay-${to}`, input: { to, amount } });

function questionIn(events: readonly StreamEvent[]): string {
  const questions = events.flatMap((event) =>
    event.type === 'approval_request' ? [event.data.approval_id] : [],
  );
  expect(questions).toHaveLength(1);
  return questions[0] ?? '';
}

describe('two-step stream: approvals', () => {
  it('ends at each question, continues in the stream that its answer names, and sends each call once [B18]', async () => {
    const { url, ran } = await serveDialects([
      [pay('Alice', 30), pay('Bob', 40)],
      [{ text: 'One is paid.' }],
    ]);
    const { stream_id } = await startStream(url, 'Pay both');
    const first = await streamEvents(url, stream_id);
    expect(first).toMatchObject([
      { type: 'tool_call', data: { tool_call_id: 'pay-Alice' } },
      { type: 'tool_call', data: { tool_call_id: 'pay-Bob' } },
      { type: 'approval_request', data: { tool_call_id: 'pay-Alice' } },
      { type: 'done', data: { reason: 'approval_required' } },
    ]);
    expect(ran).toEqual([]);

    const yes = await answerOverHttp(url, questionIn(first), { approved: true });
    const second = await streamEvents(url, yes.body.stream_id);
    expect(second).toMatchObject([
      { type: 'tool_response', data: { tool_call_id: 'pay-Alice' } },
      { type: 'approval_request', data: { tool_call_id: 'pay-Bob' } },
      { type: 'done', data: { reason: 'approval_required' } },
    ]);

    const no = await answerOverHttp(url, questionIn(second), { approved: false, reason: 'Too much.' });
    const third = await streamEvents(url, no.body.stream_id);
    expect(third).toEqual([
      {
        type: 'error',
        data: { tool_call_id: 'pay-Bob', message: "Couldn't complete pay: denied: Too much." },
      },
      { type: 'message_chunk', data: { text: 'One is paid.' } },
      { type: 'done', data: { reason: 'complete' } },
    ]);
    const state = [first, second, third].reduce(
      (held, events) => events.reduce(reduceStreamEvent, continueStream(held)),
      emptyStreamState,
    );
    expect([...state.activities.values()].map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect(ran.map(({ toolCallId }) => toolCallId)).toEqual(['pay-Alice']);
  });

  it('holds a call back until it is answered, from a client that does not say that it takes approvals [B4, B12, B18]', async () => {
    const { url } = await serveDialects([
      [
        { text: 'I pay.' },
        { call: 'weather', id: 'w', input: { city: 'Oslo' } },
        pay('Alice', 30),
        pay('Bob', 40),
      ],
      [{ text: 'One is paid.' }],
    ]);
    const { stream_id } = await startStream(url, 'Pay both');
    const first = await streamEvents(url, stream_id, older);
    const words = (approvalId: string) => ({
      text: `\n\nWaiting for approval: Run pay.\nAnswer in the inbox, or with POST /api/approvals/${approvalId}.`,
    });
    expect(first).toMatchObject([
      { type: 'message_chunk', data: { text: 'I pay.' } },
      { type: 'tool_call', data: { tool_call_id: 'w' } },
      { type: 'tool_response', data: { tool_call_id: 'w' } },
      { type: 'approval_request', data: { tool_call_id: 'pay-Alice' } },
      { type: 'message_chunk', data: words(questionIn(first)) },
      { type: 'done', data: { reason: 'approval_required' } },
    ]);
    const yes = await answerOverHttp(url, questionIn(first), { approved: true });
    const second = await streamEvents(url, yes.body.stream_id, older);
    expect(second).toMatchObject([
      { type: 'tool_call', data: { tool_call_id: 'pay-Alice' } },
      { type: 'tool_response', data: { tool_call_id: 'pay-Alice' } },
      { type: 'approval_request', data: { tool_call_id: 'pay-Bob' } },
      { type: 'message_chunk', data: words(questionIn(second)) },
      { type: 'done', data: { reason: 'approval_required' } },
    ]);
    const no = await answerOverHttp(url, questionIn(second), { approved: false });
    expect(await streamEvents(url, no.body.stream_id, older)).toMatchObject([
      { type: 'tool_call', data: { tool_call_id: 'pay-Bob' } },
      { type: 'error', data: { tool_call_id: 'pay-Bob' } },
      { type: 'message_chunk', data: { text: 'One is paid.' } },
      { type: 'done', data: { reason: 'complete' } },
    ]);
  });

  it('never announces a call to such a client that was not answered, and resumes at any frame [B12, B17]', async () => {
    const { url } = await serveDialects([[pay('Alice', 30), pay('Bob', 40)], [{ text: 'As you like.' }]]);
    const { stream_id, chat_id } = await startStream(url, 'Pay');
    const frames = await streamFrames(url, stream_id, older);
    for (const [index, { id }] of frames.slice(0, -1).entries()) {
      const rest = await streamFrames(url, stream_id, { ...older, 'last-event-id': id });
      expect(rest).toEqual(frames.slice(index + 1));
    }
    const next = await startStream(url, 'Never mind', { chat_id });
    expect((await streamEvents(url, next.stream_id, older)).map(({ type }) => type)).toEqual([
      'message_chunk',
      'done',
    ]);
  });

  it('announces a call that fails without a question, or whose question expires, with its error [B12]', async () => {
    const clock = fakeClock();
    const { url, flow } = await serveDialects(
      [[{ call: 'pay', id: 'bad', input: { to: 1 } }], [pay('Alice', 30)], [{ text: 'Never mind.' }]],
      { clock, toolDetails: { pay: { deadlineMs: 60_000 } } },
    );
    const { stream_id, chat_id } = await startStream(url, 'Pay');
    const first = await streamEvents(url, stream_id, older);
    expect(first.slice(0, 2)).toMatchObject([
      { type: 'tool_call', data: { tool_call_id: 'bad' } },
      { type: 'error', data: { tool_call_id: 'bad' } },
    ]);
    clock.advance(61_000);
    await flow.approvals.list({ principal: ada });
    const chatId = parseChatId(chat_id);
    const runs = async () =>
      (await flow.chats.timeline({ principal: ada, chatId })).filter(({ type }) => type === 'run-started');
    await expect.poll(async () => (await runs()).length).toBe(2);
    const runId = (await runs()).at(-1)?.runId;
    expect(await streamEvents(url, formatStreamId(chatId, runId as RunId), older)).toMatchObject([
      { type: 'tool_call', data: { tool_call_id: 'pay-Alice' } },
      { type: 'error', data: { tool_call_id: 'pay-Alice' } },
      { type: 'message_chunk', data: { text: 'Never mind.' } },
      { type: 'done', data: { reason: 'complete' } },
    ]);
  });

  it('accepts only the first answer [B18]', async () => {
    const { url, ran } = await serveDialects([[pay('Alice', 30)], [{ text: 'Paid.' }]]);
    const { stream_id } = await startStream(url, 'Pay');
    const approvalId = questionIn(await streamEvents(url, stream_id));
    const answers = await Promise.all([
      answerOverHttp(url, approvalId, { approved: true }),
      answerOverHttp(url, approvalId, { approved: true }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200);
    await streamEvents(url, won?.body.stream_id);
    expect(ran).toHaveLength(1);
  });

  it.each<{ what: string; answer: object; again: object; user?: string; follows: boolean }>([
    { what: 'an equal approval', answer: { approved: true }, again: { approved: true }, follows: true },
    {
      what: 'an equal denial',
      answer: { approved: false, reason: 'No.' },
      again: { approved: false, reason: 'No.' },
      follows: true,
    },
    {
      what: 'equal edited arguments',
      answer: { approved: true, input: { to: 'Alice', amount: 20 } },
      again: { approved: true, input: { amount: 20, to: 'Alice' } },
      follows: true,
    },
    { what: 'another decision', answer: { approved: true }, again: { approved: false }, follows: false },
    {
      what: 'another reason',
      answer: { approved: true },
      again: { approved: true, reason: 'Yes.' },
      follows: false,
    },
    {
      what: 'other arguments',
      answer: { approved: true, input: { to: 'Alice', amount: 20 } },
      again: { approved: true },
      follows: false,
    },
    {
      what: 'an equal approval by another person',
      answer: { approved: true },
      again: { approved: true },
      user: 'boss',
      follows: false,
    },
  ])('names the stream to follow in the refusal of $what: $follows [B18, H10]', async (row) => {
    const { url, ran } = await serveDialects([[pay('Alice', 30)], [{ text: 'Done.' }]], {
      mayAnswer: () => true,
      mayRead: () => true,
    });
    const { stream_id } = await startStream(url, 'Pay');
    const approvalId = questionIn(await streamEvents(url, stream_id));
    const { body } = await answerOverHttp(url, approvalId, row.answer);
    const again = await answerOverHttp(url, approvalId, row.again, row.user);
    expect([again.status, again.body.error.code]).toEqual([409, 'already-answered']);
    expect(again.body.error.stream_id).toBe(row.follows ? body.stream_id : undefined);
    expect((await streamEvents(url, body.stream_id)).at(-1)).toMatchObject({ data: { reason: 'complete' } });
    expect(ran.length).toBeLessThanOrEqual(1);
  });

  it('settles a question that a new message replaced [B12, B18]', async () => {
    const { url, flow } = await serveDialects([[pay('Alice', 30)], [{ text: 'As you like.' }]]);
    const { stream_id, chat_id } = await startStream(url, 'Pay');
    await streamEvents(url, stream_id);
    const next = await startStream(url, 'Never mind', { chat_id });
    expect(await streamEvents(url, next.stream_id)).toMatchObject([
      { type: 'error', data: { tool_call_id: 'pay-Alice', message: expect.stringContaining('superseded') } },
      { type: 'message_chunk' },
      { type: 'done', data: { reason: 'complete' } },
    ]);
    const events = await flow.chats.timeline({
      chatId: chat_id as never,
      principal: { id: 'ada', name: 'Ada' },
    });
    expect(events.filter(({ type }) => type === 'tool-denied')).toHaveLength(1);
  });
});
