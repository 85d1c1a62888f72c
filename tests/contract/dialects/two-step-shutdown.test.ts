import { sqliteStore } from 'countersign/store';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gate } from './support/gate.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { arrivingFrames, startStream, streamFrames, type WireFrame } from './support/two-step-client.ts';

const disconnected = {
  type: 'error',
  data: { tool_call_id: null, message: 'assistant stream disconnected' },
};
const textOf = (frames: readonly WireFrame[]) =>
  frames.map(({ event }) => (event.type === 'message_chunk' ? event.data.text : '')).join('');
const typesOf = (frames: readonly WireFrame[]) => frames.map(({ event }) => event.type);

describe('two-step stream: a server that shuts down', () => {
  it('ends an open stream with its error and without done, and the reader resumes at the next server [B8, B15]', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const held = gate();
    const first = await serveDialects([[{ text: 'One. ' }, { wait: held.passed }]], { store });
    const next = await serveDialects([[{ text: ['One. ', 'Two.'] }]], { store });
    const { stream_id } = await startStream(first.url, 'Count');
    const seen: WireFrame[] = [];
    for await (const frame of arrivingFrames(first.url, stream_id)) {
      seen.push(frame);
      if (frame.event.type === 'message_chunk') void first.flow.close();
    }
    expect(typesOf(seen)).toEqual(['message_chunk', 'error']);
    expect(seen.at(-1)?.event).toEqual(disconnected);
    await next.flow.recover();
    const rest = await streamFrames(next.url, stream_id, { 'last-event-id': seen.at(-1)?.id ?? '' });
    expect(rest.at(-1)?.event).toEqual({ type: 'done', data: { reason: 'complete' } });
    expect(typesOf(rest)[0]).toBe('reset');
    expect(textOf(rest)).toBe('One. Two.');
  });

  it('ends a stream that has no frame yet, and nothing of the turn is skipped afterwards [B15, B17]', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const began = gate();
    const wait = () => {
      began.open();
      return new Promise<void>(() => {});
    };
    const first = await serveDialects([[{ wait }]], { store });
    const next = await serveDialects([[{ text: 'Here.' }]], { store });
    const { stream_id } = await startStream(first.url, 'Hi');
    const frames = streamFrames(first.url, stream_id);
    await began.passed;
    await first.flow.close();
    const seen = await frames;
    expect(seen.map(({ event }) => event)).toEqual([disconnected]);
    await next.flow.recover();
    expect(textOf(await streamFrames(next.url, stream_id, { 'last-event-id': seen[0]?.id ?? '' }))).toBe(
      'Here.',
    );
  });

  it('sends the outcome of a call that ends during the shutdown, and then the error [B12, B15, B18]', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const started = gate();
    const held = gate();
    const tools = {
      pay: {
        inputSchema: z.object({}),
        needsApproval: true,
        async execute() {
          started.open();
          await held.passed;
          return ['paid'];
        },
      },
    } as never;
    const first = await serveDialects([[{ call: 'pay', id: 'p' }], [{ text: 'Well.' }]], { store, tools });
    const next = await serveDialects([[{ text: 'Well.' }]], { store, tools });
    const { stream_id } = await startStream(first.url, 'Pay');
    const asked = (await streamFrames(first.url, stream_id)).map(({ event }) => event);
    const question = asked.find(({ type }) => type === 'approval_request');
    const approvalId = question?.type === 'approval_request' ? question.data.approval_id : '';
    const { body } = await answerOverHttp(first.url, approvalId, { approved: true });
    const frames = streamFrames(first.url, body.stream_id);
    await started.passed;
    const closed = first.flow.close();
    held.open();
    await closed;
    const seen = await frames;
    expect(typesOf(seen)).toEqual(['tool_response', 'error']);
    expect(seen.at(-1)?.event).toEqual(disconnected);
    await next.flow.recover();
    const rest = await streamFrames(next.url, body.stream_id, { 'last-event-id': seen.at(-1)?.id ?? '' });
    expect(typesOf(rest)).toEqual(['message_chunk', 'done']);
  });

  it('answers a request that comes during the shutdown with the error, without done [B15]', async () => {
    const { url, flow } = await serveDialects([[{ text: 'One. ' }, { wait: new Promise<void>(() => {}) }]]);
    const { stream_id } = await startStream(url, 'Hi');
    await flow.close();
    expect((await streamFrames(url, stream_id)).at(-1)?.event).toEqual(disconnected);
  });
});
