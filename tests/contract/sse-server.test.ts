import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalFlow } from '../../lib/flow/approval-flow.ts';
import { type Clock, CountersignError } from '../../lib/protocol/index.ts';
import { createSseTransport } from '../../lib/sse/client.ts';
import { createSseHandlers } from '../../lib/sse/server.ts';
import type { Served } from '../../lib/testing/server/serve.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import type { FlowStream } from '../../lib/views/flow-stream.ts';
import { untilIdle } from '../support/until-idle.ts';
import {
  ada,
  asAda,
  type FakeMethods,
  fakeFlow,
  openStream,
  streamOf,
  turnOfText,
} from './support/fake-flow.ts';

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

type Settings = Partial<Parameters<typeof serveFlow>[1]>;

async function start(methods: FakeMethods, settings: Settings = {}) {
  const flow = fakeFlow(methods);
  served = await serveFlow(flow, { authorize: asAda, ...settings });
  return { flow, api: `${served.url}/api/chat` };
}

const hi: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
const submit = {
  chatId: 'chat1',
  trigger: 'submit-message' as const,
  messageId: undefined,
  messages: [hi],
  abortSignal: undefined,
};
const textOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');

async function collect(stream: ReadableStream<UIMessageChunk> | null): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return chunks;
}

const answering = { chats: { respond: async () => streamOf(turnOfText(['Hello, ', 'Ada.'])) } };

describe('POST /api/chat [H1]', () => {
  it.each<[string, (api: string) => DefaultChatTransport<UIMessage>]>([
    ['the SDK’s own transport', (api) => new DefaultChatTransport({ api })],
    ['ours', (api) => createSseTransport({ api })],
  ])('serves %s', async (_whose, transport) => {
    const { flow, api } = await start(answering);
    const chunks = await collect(await transport(api).sendMessages(submit));
    expect(textOf(chunks)).toBe('Hello, Ada.');
    expect(chunks.at(0)).toEqual({ type: 'start', messageId: 'a1' });
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
    expect(flow.requests).toEqual([
      {
        chatId: 'chat1',
        trigger: 'submit-message',
        message: { id: 'u1', parts: [{ type: 'text', text: 'Hi' }] },
        principal: ada,
        via: 'sse',
      },
    ]);
  });

  it('sends headers against buffering by proxies, and ends with [DONE]', async () => {
    const { api } = await start(answering);
    const body = JSON.stringify({ id: 'chat1', message: hi });
    const response = await fetch(api, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect((await response.text()).endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  it('refuses before a stream begins, in a form that both transports show as the error', async () => {
    const { api } = await start({
      chats: {
        respond: async () => {
          throw new CountersignError('run-active', 'Chat chat1 has an active run.', { chatId: 'chat1' });
        },
      },
    });
    const failure = await new DefaultChatTransport({ api })
      .sendMessages(submit)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ statusCode: 409 });
    expect(JSON.parse(failure instanceof Error ? failure.message : '')).toEqual({
      error: { code: 'run-active', message: 'Chat chat1 has an active run.', chatId: 'chat1' },
    });
  });

  it.each<[string, string, Settings, number]>([
    ['a stranger', JSON.stringify({ id: 'chat1', message: hi }), { authorize: () => null }, 401],
    ['a malformed body', '{', {}, 400],
    [
      'a body above the limit',
      JSON.stringify({ id: 'chat1', message: hi }),
      { limits: { bodyBytes: 10 } },
      413,
    ],
    [
      'a message above the limit',
      JSON.stringify({ id: 'chat1', message: hi }),
      { limits: { messageBytes: 1 } },
      413,
    ],
  ])('refuses %s, and calls nothing of the flow', async (_what, body, settings, status) => {
    const { flow, api } = await start(answering, settings);
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(api, { method: 'POST', headers, body })).status).toBe(status);
    expect(flow.requests).toEqual([]);
  });

  it('reports a failure within a stream as one error chunk with a safe text', async () => {
    const source = openStream();
    const logger = { warn: vi.fn(), error: vi.fn() };
    const { api } = await start({ chats: { respond: async () => source.stream } }, { logger });
    source.push(...turnOfText(['Half']).slice(0, 4));
    const reader = (await createSseTransport({ api }).sendMessages(submit)).getReader();
    expect((await reader.read()).value).toMatchObject({ type: 'start' });
    source.fail(new Error('password=hunter2'));
    const rest: UIMessageChunk[] = [];
    // Reads to the end: the stream ends well, in spite of the failure.
    for (let next = await reader.read(); !next.done; next = await reader.read()) rest.push(next.value);
    expect(rest.filter(({ type }) => type === 'error')).toHaveLength(1);
    expect(JSON.stringify(rest)).not.toContain('hunter2');
    expect(logger.error).toHaveBeenCalledOnce();
  });

  it('detaches the reader of a client that disconnects, and stops nothing [H5]', async () => {
    const source = openStream();
    const stop = vi.fn<ApprovalFlow['chats']['stop']>();
    const { api } = await start({ chats: { respond: async () => source.stream, stop } });
    source.push(...turnOfText(['Half']).slice(0, 4));
    const leaving = new AbortController();
    const stream = await createSseTransport({ api }).sendMessages({ ...submit, abortSignal: leaving.signal });
    await stream.getReader().read();
    leaving.abort();
    await source.cancelled;
    expect(stop).not.toHaveBeenCalled();
  });
});

describe('GET /api/chat/{chatId}/stream [H2]', () => {
  it('resumes an active response', async () => {
    const resume = vi.fn<ApprovalFlow['chats']['resume']>(async () => streamOf(turnOfText(['Hello'])));
    const { api } = await start({ chats: { resume } });
    const stream = await new DefaultChatTransport({ api }).reconnectToStream({ chatId: 'chat1' });
    expect(textOf(await collect(stream))).toBe('Hello');
    expect(resume).toHaveBeenCalledWith({ principal: ada, chatId: 'chat1' });
  });

  it.each<[string, ApprovalFlow['chats']['resume']]>([
    ['nothing is running', async () => null],
    [
      'the chat is unknown, or someone else’s',
      async () => {
        throw new CountersignError('not-found', 'No chat.');
      },
    ],
  ])('answers 204 when %s', async (_what, resume) => {
    const { api } = await start({ chats: { resume } });
    expect(await new DefaultChatTransport({ api }).reconnectToStream({ chatId: 'chat1' })).toBeNull();
    expect((await fetch(`${api}/chat1/stream`)).status).toBe(204);
  });

  it('answers 400 for an invalid chat id', async () => {
    const { api } = await start({});
    expect((await fetch(`${api}/__proto__/stream`)).status).toBe(400);
  });
});

describe('cancelling [H5]', () => {
  it('stops the run over HTTP', async () => {
    const stop = vi.fn<ApprovalFlow['chats']['stop']>(async () => {});
    const { api } = await start({ chats: { stop } });
    await createSseTransport({ api, headers: async () => ({ 'x-tenant': '1' }) }).cancel('chat1');
    expect(stop).toHaveBeenCalledWith({ principal: ada, chatId: 'chat1' });
  });

  it('reports why it failed', async () => {
    const { api } = await start({});
    await expect(createSseTransport({ api }).cancel('chat1')).rejects.toThrow('"not-found"');
  });
});

describe('the pace of a stream', () => {
  const post = () =>
    new Request('http://localhost/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'chat1', message: hi }),
    });

  it('follows the reader, so an endless response is not read ahead', async () => {
    let pulled = 0;
    const [received, started, step, delta] = turnOfText(['more ']);
    const { view } = streamOf([]);
    const endless: FlowStream = {
      runId: null,
      view,
      events: new ReadableStream(
        {
          pull(controller) {
            const event = [received, started, step][pulled] ?? delta;
            pulled += 1;
            if (event) controller.enqueue(event);
          },
        },
        { highWaterMark: 0 },
      ),
    };
    const { chat } = createSseHandlers(fakeFlow({ chats: { respond: async () => endless } }), {
      authorize: asAda,
    });
    const reader = (await chat.POST(post())).body?.getReader();
    for (let count = 0; count < 5; count += 1) await reader?.read();
    await untilIdle();
    expect(pulled).toBeLessThan(20);
    await reader?.cancel();
  });

  it('includes comments while nothing happens, but not for a client that does not read', async () => {
    const keepAliveMs = 5;
    const due: (() => void)[] = [];
    const clock: Clock = {
      now: () => 0,
      after(ms, callback) {
        // The watch of the session has a timer too.
        if (ms !== keepAliveMs) return () => {};
        due.push(callback);
        return () => {
          due.splice(due.indexOf(callback), 1);
        };
      },
    };
    const source = openStream();
    const settings = { authorize: asAda, clock, keepAliveMs };
    const { chat } = createSseHandlers(fakeFlow({ chats: { respond: async () => source.stream } }), settings);
    const response = await chat.POST(post());
    const tick = () => due.at(0)?.();
    for (let count = 0; count < 100; count += 1) tick();
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe(': keep-alive\n\n');
    source.push(...turnOfText(['Hello']));
    source.end();
    let rest = '';
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      rest += new TextDecoder().decode(next.value);
    }
    expect(rest.split(': keep-alive').length).toBeLessThan(5);
    expect(rest).toContain('[DONE]');
    expect(due).toEqual([]);
  });
});
