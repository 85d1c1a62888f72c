import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { UIMessageChunk } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { lasting } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { databaseTools, workedExample } from '../support/worked-example.ts';

const message = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Search and update database' }] };

/** What both transports send for the first question of the example, without transient chunks. */
const asked: UIMessageChunk[] = [
  { type: 'start', messageId: expect.any(String) },
  { type: 'start-step' },
  {
    type: 'tool-input-start',
    toolCallId: 'search',
    toolName: 'search_database',
    providerMetadata: { countersign: { position: expect.any(Number) } },
  },
  {
    type: 'tool-input-available',
    toolCallId: 'search',
    toolName: 'search_database',
    input: { query: 'users' },
    providerMetadata: { countersign: { position: expect.any(Number) } },
  },
  {
    type: 'tool-approval-request',
    approvalId: expect.any(String),
    toolCallId: 'search',
    approvalDescriptor: {
      description: expect.any(String),
      requestedAt: expect.any(String),
      position: { index: 1, of: 1 },
      askedBy: { id: expect.any(String), name: expect.any(String) },
      mayAnswer: true,
      mayEdit: true,
      mayRemember: false,
    },
  },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
];

/** What a card shows besides an output. */
const ran = { countersign: { summary: '1 result', resultCount: 1, durationMs: expect.any(Number) } };

/** The end of the last response, over both transports. */
const released: UIMessageChunk[] = [
  { type: 'tool-output-available', toolCallId: 'search', toolMetadata: ran, output: { rows: 10 } },
  { type: 'tool-output-available', toolCallId: 'update', toolMetadata: ran, output: { updated: 10 } },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
];

describe('a response on the wire of HTTP [H1]', () => {
  /** Node's own client: nothing between the test and what was sent. */
  async function post(url: string, body: object) {
    const sent = request(`${url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    sent.end(JSON.stringify(body));
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }

  function chunksOf(body: string): UIMessageChunk[] {
    const events = body.split('\n\n');
    expect(events.splice(-2)).toEqual(['data: [DONE]', '']);
    return events.map((event) => {
      expect(event).toMatch(/^data: \{.*\}$/);
      return JSON.parse(event.slice('data: '.length));
    });
  }

  it("has one data line per event, ends with [DONE], and has the protocol's headers", async () => {
    const { url } = await serveFixture(workedExample, { tools: databaseTools().tools });
    const first = await post(url, { id: 'chat', trigger: 'submit-message', message });
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(lasting(chunksOf(first.body))).toEqual(asked);

    const second = await post(url, { id: 'chat', answers: [answerTo(chunksOf(first.body))] });
    const last = await post(url, { id: 'chat', answers: [answerTo(chunksOf(second.body))] });
    expect(lasting(chunksOf(last.body)).slice(-4)).toEqual(released);
  });
});

describe('a response on the wire of a WebSocket [H3]', () => {
  it('is a start frame, its chunks numbered from 0, and an end frame', async () => {
    const { url } = await serveFixture(workedExample, { tools: databaseTools().tools });
    const socket = new WebSocket(`${url.replace('http:', 'ws:')}/api/chat/socket`);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');

    /** All frames from a request to its end. */
    async function framesOf(requestId: string, body: object) {
      const frames: { type: string; requestId: string; sequence?: number; chunk?: UIMessageChunk }[] = [];
      const ended = Promise.withResolvers<void>();
      const take = (data: unknown) => {
        frames.push(JSON.parse(String(data)));
        if (frames.at(-1)?.type === 'end') ended.resolve();
      };
      socket.on('message', take);
      const send = {
        type: 'send',
        requestId,
        id: 'chat',
        trigger: 'submit-message',
        messages: [],
        headers: {},
      };
      socket.send(JSON.stringify({ ...send, body }));
      await ended.promise;
      socket.off('message', take);
      return frames;
    }

    function chunksOf(frames: Awaited<ReturnType<typeof framesOf>>, requestId: string): UIMessageChunk[] {
      const chunks = frames.flatMap(({ chunk }) => chunk ?? []);
      expect(frames).toEqual([
        { type: 'start', requestId },
        ...chunks.map((chunk, sequence) => ({ type: 'chunk', requestId, sequence, chunk })),
        { type: 'end', requestId },
      ]);
      return chunks;
    }

    const first = chunksOf(await framesOf('one', { message }), 'one');
    expect(lasting(first)).toEqual(asked);
    const second = chunksOf(await framesOf('two', { answers: [answerTo(first)] }), 'two');
    const last = chunksOf(await framesOf('three', { answers: [answerTo(second)] }), 'three');
    expect(lasting(last).slice(-4)).toEqual(released);
  });
});

function answerTo(chunks: readonly UIMessageChunk[]) {
  const asked = chunks.find((chunk) => chunk.type === 'tool-approval-request');
  return { approvalId: asked?.approvalId, approved: true };
}
