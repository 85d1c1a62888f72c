import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { type UIMessage, type UIMessageChunk, WebSocketChatTransport } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createBidiTransport } from '../../lib/bidi/client.ts';
import type { ApprovalFlow } from '../../lib/flow/approval-flow.ts';
import { type Clock, CountersignError } from '../../lib/protocol/index.ts';
import type { Authorize } from '../../lib/server/identity/authorize.ts';
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
let sockets: { terminate(): void }[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  sockets = [];
  await served?.close();
  served = undefined;
});

type Settings = Partial<Parameters<typeof serveFlow>[1]>;
type Frame = {
  type: string;
  requestId: string;
  sequence?: number;
  chunk?: UIMessageChunk;
  errorText?: string;
};

async function start(methods: FakeMethods, settings: Settings = {}) {
  const flow = fakeFlow(methods);
  served = await serveFlow(flow, { authorize: asAda, ...settings });
  return { flow, url: `${served.url}/api/chat/socket`, api: `${served.url}/api/chat` };
}

/** A raw client: frames out, frames in. */
async function connect(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url.replace('http:', 'ws:'), { headers });
  sockets.push(socket);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const look of waiting) look();
  });
  /** Resolves with all frames, once they are what the test waits for. */
  const until = (isEnough: () => boolean) =>
    new Promise<Frame[]>((resolve) => {
      const look = () => isEnough() && waiting.delete(look) && resolve(frames);
      waiting.add(look);
      look();
    });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  return {
    socket,
    frames,
    closed,
    send: (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    received: (count: number) => until(() => frames.length >= count),
    ended: (requestId: string) =>
      until(() => frames.some((frame) => frame.type === 'end' && frame.requestId === requestId)),
  };
}

/** The status line of a refused handshake. */
async function handshakeStatus(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url.replace('http:', 'ws:'), { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  socket.terminate();
  return response.statusCode;
}

const hi: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
const submit = {
  chatId: 'chat1',
  trigger: 'submit-message' as const,
  messageId: undefined,
  messages: [hi],
  abortSignal: undefined,
};
const sendFrame = (requestId: string, more: object = {}) => ({
  type: 'send',
  requestId,
  id: 'chat1',
  trigger: 'submit-message',
  messages: [],
  headers: {},
  body: { message: hi },
  ...more,
});
const textOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
const errorOf = (frame: Frame | undefined) => JSON.parse(frame?.errorText ?? '{}').error;

async function collect(stream: ReadableStream<UIMessageChunk> | null): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return chunks;
}

const answering = { chats: { respond: async () => streamOf(turnOfText(['Hello, ', 'Ada.'])) } };

/** A clock whose timers run when the test says so. */
function handClock(): Clock & { tick(): void } {
  const due = new Set<() => void>();
  return {
    now: () => 0,
    after(_ms, callback) {
      due.add(callback);
      return () => due.delete(callback);
    },
    tick() {
      const now = [...due];
      due.clear();
      for (const callback of now) callback();
    },
  };
}

describe('the SDK’s frames on a socket [H3]', () => {
  it.each<[string, (url: string) => WebSocketChatTransport<UIMessage>]>([
    ['the SDK’s own transport', (url) => new WebSocketChatTransport({ url })],
    ['ours', (url) => createBidiTransport({ url })],
    ['ours over `ws`', (url) => createBidiTransport({ url, webSocket: WebSocket as never })],
  ])('serves %s', async (_whose, transportAt) => {
    const { flow, url } = await start(answering);
    const transport = transportAt(url);
    const chunks = await collect(await transport.sendMessages(submit));
    transport.close();
    expect(textOf(chunks)).toBe('Hello, Ada.');
    expect(chunks.at(0)).toEqual({ type: 'start', messageId: 'a1' });
    expect(flow.requests).toEqual([
      {
        chatId: 'chat1',
        trigger: 'submit-message',
        message: { id: 'u1', parts: [{ type: 'text', text: 'Hi' }] },
        principal: ada,
        via: 'bidi',
      },
    ]);
  });

  it('reads the slim fields from the frame’s body, and no placeholder message [H1]', async () => {
    const { flow, url } = await start(answering);
    const client = await connect(url);
    const stub = { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: '' }] };
    const answers = [{ approvalId: 'apr_1', approved: true }];
    client.send(sendFrame('r1', { messageId: 'a1', messages: [stub], body: { answers } }));
    await client.received(1);
    expect(flow.requests).toMatchObject([{ chatId: 'chat1', answers, via: 'bidi' }]);
    expect(flow.requests[0]?.messageId).toBeUndefined();
  });

  it.each<[string, object, string | undefined]>([
    ['an edit of the same id', { messageId: 'u1' }, 'u1'],
    [
      'no edit for another id in the frame, where the SDK names the answered message',
      { messageId: 'a0' },
      undefined,
    ],
    ['an edit of another id, when the body says so', { body: { message: hi, messageId: 'u0' } }, 'u0'],
  ])('receives %s [H7]', async (_what, more, messageId) => {
    const { flow, url } = await start(answering);
    const client = await connect(url);
    client.send(sendFrame('r1', more));
    await client.received(1);
    expect(flow.requests[0]?.messageId).toBe(messageId);
  });

  it('numbers chunks from 0 and marks where a response begins and ends', async () => {
    const { url } = await start(answering);
    const client = await connect(url);
    client.send(sendFrame('r1'));
    const frames = await client.ended('r1');
    const chunks = frames.slice(1, -1);
    expect(frames.at(0)?.type).toBe('start');
    expect(chunks.every(({ type }) => type === 'chunk')).toBe(true);
    expect(chunks.map(({ sequence }) => sequence)).toEqual(chunks.map((_, index) => index));
    expect(frames.at(-1)?.type).toBe('end');
    expect(new Set(frames.map(({ requestId }) => requestId))).toEqual(new Set(['r1']));
  });

  it('carries many chats on one socket, each at its own pace', async () => {
    const slow = openStream();
    const { url } = await start({
      chats: {
        respond: async ({ chatId }) => (chatId === 'chat1' ? slow.stream : streamOf(turnOfText(['Quick']))),
      },
    });
    const transport = createBidiTransport({ url });
    const first = await transport.sendMessages(submit);
    const second = await transport.sendMessages({ ...submit, chatId: 'chat2' });
    expect(textOf(await collect(second))).toBe('Quick');
    slow.push(...turnOfText(['Slow']));
    slow.end();
    expect(textOf(await collect(first))).toBe('Slow');
    transport.close();
  });

  it('starts requests in the order they arrived, however long authorization takes', async () => {
    const slow = Promise.withResolvers<void>();
    let asked = 0;
    const authorize: Authorize = async () => {
      asked += 1;
      if (asked === 2) await slow.promise;
      return ada;
    };
    const { flow, url } = await start(answering, { authorize });
    const client = await connect(url);
    client.send(sendFrame('r1', { id: 'first' }));
    client.send(sendFrame('r2', { id: 'second' }));
    slow.resolve();
    await Promise.all([client.ended('r1'), client.ended('r2')]);
    expect(flow.requests.map(({ chatId }) => chatId)).toEqual(['first', 'second']);
  });

  it('resumes a response, or reports that none is active [H2]', async () => {
    const { url } = await start({
      chats: {
        resume: async ({ chatId }) => {
          if (chatId === 'chat3') throw new CountersignError('not-found', 'Somebody else’s.');
          return chatId === 'chat1' ? streamOf(turnOfText(['Again'])) : null;
        },
      },
    });
    const transport = new WebSocketChatTransport({ url });
    const resume = (chatId: string) => transport.reconnectToStream({ chatId, abortSignal: undefined });
    expect(textOf(await collect(await resume('chat1')))).toBe('Again');
    expect(await resume('chat2')).toBeNull();
    expect(await resume('chat3')).toBeNull();
    transport.close();
  });

  it('detaches the reader of an aborted request, without stopping the run or closing the socket [H5]', async () => {
    const source = openStream();
    const stop = vi.fn<ApprovalFlow['chats']['stop']>();
    const { url } = await start({
      chats: {
        respond: async ({ chatId }) =>
          chatId === 'chat1' ? source.stream : streamOf(turnOfText(['Still here'])),
        stop,
      },
    });
    const transport = createBidiTransport({ url });
    const leaving = new AbortController();
    const stream = await transport.sendMessages({ ...submit, abortSignal: leaving.signal });
    source.push(...turnOfText(['Half']).slice(0, 4));
    await stream.getReader().read();
    leaving.abort();
    await source.cancelled;
    const other = await transport.sendMessages({ ...submit, chatId: 'chat2' });
    expect(textOf(await collect(other))).toBe('Still here');
    expect(stop).not.toHaveBeenCalled();
    transport.close();
  });

  it('detaches all readers of a closed socket, without stopping their runs [H5]', async () => {
    const [one, two] = [openStream(), openStream()];
    const stop = vi.fn<ApprovalFlow['chats']['stop']>();
    const { url } = await start({
      chats: { respond: async ({ chatId }) => (chatId === 'chat1' ? one : two).stream, stop },
    });
    const client = await connect(url);
    client.send(sendFrame('r1'));
    client.send(sendFrame('r2', { id: 'chat2' }));
    await client.received(2);
    client.socket.terminate();
    await Promise.all([one.cancelled, two.cancelled]);
    expect(stop).not.toHaveBeenCalled();
  });

  it('stops a run that is cancelled over HTTP [H5]', async () => {
    const stop = vi.fn<ApprovalFlow['chats']['stop']>(async () => {});
    const { url, api } = await start({ chats: { stop } });
    await createBidiTransport({ url, api }).cancel('chat1');
    expect(stop).toHaveBeenCalledWith({ principal: ada, chatId: 'chat1' });
  });
});

describe('errors on the socket [H3, H-Errors]', () => {
  it('sends an error frame for the request, with the JSON of the HTTP error', async () => {
    const { url } = await start({
      chats: {
        respond: async () => {
          throw new CountersignError('run-active', 'Chat chat1 has an active run.', { chatId: 'chat1' });
        },
      },
    });
    const transport = new WebSocketChatTransport({ url });
    const failure = await collect(await transport.sendMessages(submit)).catch((error: unknown) => error);
    transport.close();
    expect(JSON.parse(failure instanceof Error ? failure.message : '')).toEqual({
      error: { code: 'run-active', message: 'Chat chat1 has an active run.', chatId: 'chat1' },
    });
  });

  it('sends one error chunk with a safe text if the response has already begun', async () => {
    const source = openStream();
    const logger = { warn: vi.fn(), error: vi.fn() };
    const { url } = await start({ chats: { respond: async () => source.stream } }, { logger });
    const client = await connect(url);
    client.send(sendFrame('r1'));
    source.push(...turnOfText(['Half']).slice(0, 4));
    await client.received(2);
    source.fail(new Error('password=hunter2'));
    await client.ended('r1');
    expect(client.frames.filter(({ chunk }) => chunk?.type === 'error')).toHaveLength(1);
    expect(JSON.stringify(client.frames)).not.toContain('hunter2');
  });

  it.each<[string, object, string]>([
    ['an unknown type', { type: 'answer', requestId: 'r1' }, 'invalid-request'],
    ['a reserved chat id', sendFrame('r1', { id: 'socket' }), 'invalid-request'],
    ['a resume without a chat', { type: 'resume', requestId: 'r1' }, 'invalid-request'],
    ['a request that says nothing', sendFrame('r1', { body: {} }), 'invalid-request'],
    ['a body that is not an object', sendFrame('r1', { body: 7 }), 'invalid-request'],
    [
      'a message above its limit',
      sendFrame('r1', { body: { message: { ...hi, parts: [{ type: 'text', text: 'x'.repeat(2_000) }] } } }),
      'payload-too-large',
    ],
  ])('refuses %s, and keeps the socket open', async (_what, frame, code) => {
    const { url } = await start(answering, { limits: { messageBytes: 1_000 } });
    const client = await connect(url);
    client.send(frame);
    const [refusal] = await client.received(1);
    expect(refusal).toMatchObject({ type: 'error', requestId: 'r1' });
    expect(errorOf(refusal)).toMatchObject({ code });
    client.send(sendFrame('r2'));
    expect((await client.received(2))[1]).toEqual({ type: 'start', requestId: 'r2' });
  });

  it.each<[string, string | Buffer, number]>([
    ['text that is not JSON', 'hello', 1008],
    ['JSON that is not an object', '[]', 1008],
    ['an object without a type', '{"requestId":"r1"}', 1008],
    ['a frame without a request id', '{"type":"resume","id":"chat1"}', 1008],
    ['a request id that is not a string', '{"type":"resume","id":"chat1","requestId":{}}', 1008],
    ['binary data', Buffer.from('{"type":"abort","requestId":"r1"}'), 1008],
    ['more bytes than allowed', JSON.stringify(sendFrame('x'.repeat(4_096))), 1009],
  ])('closes the socket after %s', async (_what, data, code) => {
    const { url } = await start(answering, { limits: { bodyBytes: 2_048 } });
    const client = await connect(url);
    client.socket.send(data);
    expect(await client.closed).toBe(code);
  });

  it('refuses one request more than a socket may have open, and accepts it after another one has ended', async () => {
    const source = openStream();
    const { url } = await start(
      {
        chats: {
          respond: async ({ chatId }) =>
            chatId === 'chat1' ? source.stream : streamOf(turnOfText(['Hello'])),
        },
      },
      { maxOpenRequests: 1 },
    );
    const client = await connect(url);
    client.send(sendFrame('r1'));
    client.send(sendFrame('r2', { id: 'chat2' }));
    const refusal = (await client.received(2)).find(({ type }) => type === 'error');
    expect(refusal?.requestId).toBe('r2');
    expect(errorOf(refusal)).toMatchObject({ code: 'rate-limited' });
    client.send({ type: 'abort', requestId: 'r1' });
    client.send(sendFrame('r3', { id: 'chat2' }));
    expect((await client.received(3))[2]).toEqual({ type: 'start', requestId: 'r3' });
  });

  it('refuses a request id that is still in use, and ends that request', async () => {
    const source = openStream();
    const { url } = await start({ chats: { respond: async () => source.stream } });
    const client = await connect(url);
    client.send(sendFrame('r1'));
    await client.received(1);
    client.send(sendFrame('r1'));
    await source.cancelled;
    expect(errorOf((await client.received(2))[1])).toMatchObject({ code: 'invalid-request' });
  });
});

describe('the handshake [H-Identity]', () => {
  it('accepts a client without an Origin, and our own page', async () => {
    const { url } = await start(answering);
    const { origin } = new URL(url);
    await expect(connect(url)).resolves.toBeDefined();
    await expect(connect(url, { origin })).resolves.toBeDefined();
  });

  it.each<[string, Record<string, string>, Settings, number]>([
    ['the origin of another site', { origin: 'https://evil.example' }, {}, 403],
    ['an unknown host', { host: 'evil.example' }, {}, 403],
    ['no one', {}, { authorize: () => null }, 401],
    [
      'a forged cookie',
      {},
      {
        authorize: () => {
          throw new CountersignError('unauthenticated', 'Forged.');
        },
      },
      401,
    ],
    ['an invalid principal', {}, { authorize: (() => ({ name: 'Ada' })) as never }, 401],
    ['a broken identity', {}, { authorize: () => Promise.reject(new Error('database gone')) }, 500],
  ])('refuses %s with plain HTTP', async (_what, headers, settings, status) => {
    const { url } = await start(answering, settings);
    expect(await handshakeStatus(url, headers)).toBe(status);
  });

  it('survives a peer that disconnects while it is being authorized', async () => {
    const looking = Promise.withResolvers<void>();
    const decide = Promise.withResolvers<null>();
    const authorize: Authorize = () => {
      looking.resolve();
      return decide.promise;
    };
    const { url } = await start(answering, { authorize });
    const { port, pathname } = new URL(url);
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await looking.promise;
    socket.resetAndDestroy();
    await once(socket, 'close');
    decide.resolve(null);
    expect(await handshakeStatus(url, { origin: 'https://evil.example' })).toBe(403);
  });

  it('authorizes each frame again: an ended session gets an error, and its socket is closed', async () => {
    let isSignedIn = true;
    const { flow, url } = await start(answering, { authorize: () => (isSignedIn ? ada : null) });
    const client = await connect(url);
    isSignedIn = false;
    client.send(sendFrame('r1'));
    expect(await client.closed).toBe(4401);
    expect(errorOf(client.frames[0])).toMatchObject({ code: 'unauthenticated' });
    expect(flow.requests).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['a user without an id', { name: 'Ada' }],
  ])('closes the idle socket of an ended session when `authorize` returns %s', async (_what, nobody) => {
    const source = openStream();
    const clock = handClock();
    let isSignedIn = true;
    const authorize = () => (isSignedIn ? ada : (nobody as null));
    const { url } = await start({ chats: { respond: async () => source.stream } }, { authorize, clock });
    const client = await connect(url);
    client.send(sendFrame('r1'));
    await client.received(1);
    isSignedIn = false;
    clock.tick();
    expect(await client.closed).toBe(4401);
    await source.cancelled;
  });
});

describe('the lifetime of a socket', () => {
  it('pings its peer, and drops one that does not answer', async () => {
    const clock = handClock();
    const { url } = await start(answering, { clock });
    const client = await connect(url);
    const pinged = once(client.socket, 'ping');
    clock.tick();
    await pinged;
    // The answer to the first ping is on its way; a frame and its response come after it.
    client.send(sendFrame('r1'));
    await client.ended('r1');
    clock.tick();
    expect(client.socket.readyState).toBe(WebSocket.OPEN);

    const silent = await connect(url);
    silent.socket.pause();
    clock.tick();
    clock.tick();
    silent.socket.resume();
    expect(await silent.closed).toBe(1006);
  });

  it('pauses the streams of a slow reader instead of filling the memory', async () => {
    let pulled = 0;
    const [received, started, step] = turnOfText([]);
    const [, , , delta] = turnOfText(['x'.repeat(64 * 1024)]);
    const { view } = streamOf([]);
    const still = Promise.withResolvers<void>();
    const endless: FlowStream = {
      runId: null,
      view,
      events: new ReadableStream(
        {
          async pull(controller) {
            const event = [received, started, step][pulled] ?? delta;
            pulled += 1;
            if (pulled === 5_000) still.resolve();
            if (event) controller.enqueue(event);
          },
        },
        { highWaterMark: 0 },
      ),
    };
    let line: Socket | undefined;
    const { url } = await start(
      { chats: { respond: async () => endless } },
      {
        stampPeer: ({ socket }) => {
          line = socket;
        },
      },
    );
    const client = await connect(url);
    client.send(sendFrame('r1'));
    await client.received(1);
    client.socket.pause();
    // The network takes no more: what is pulled from here on waits in this process.
    const isFull = expect.poll(() => line?.writableLength).toBeGreaterThan(64 * 1024);
    // Unpaced, 5,000 chunks (320 MB) would be pulled.
    await Promise.race([still.promise, isFull.then(untilIdle)]);
    expect(pulled).toBeLessThan(1_000);
  });

  it('closes its sockets and ends their readers when the server shuts down', async () => {
    const source = openStream();
    const { url } = await start({ chats: { respond: async () => source.stream } });
    const client = await connect(url);
    client.send(sendFrame('r1'));
    await client.received(1);
    await served?.close();
    served = undefined;
    expect(await client.closed).toBe(1001);
    await source.cancelled;
  });
});
