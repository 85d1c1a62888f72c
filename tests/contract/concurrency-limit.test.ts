import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import { createUpgradeHandler } from 'countersign/bidi/server';
import {
  type Authorize,
  type ConcurrencyLimit,
  type Counted,
  createConcurrencyLimit,
  createRateLimit,
} from 'countersign/http/server';
import { createFetchHandler } from 'countersign/sse/server';
import { fakeClock } from 'countersign/testing';
import type { FlowStream } from 'countersign/views';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { formatStreamId } from '../../lib/protocol/ids/stream-id.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { everyDialect } from '../support/every-plugin.ts';
import { userHeader } from '../support/serve-fixture.ts';
import { type FakeMethods, fakeFlow, openStream, question } from './support/fake-flow.ts';

const most = 3;
const rounds = 3;
const silent = { warn: () => {}, error: () => {} };

/** A limit that says how many places are held, and when they have become so many. */
function watched(limit: ConcurrencyLimit) {
  const held: Record<Counted, number> = { feeds: 0, sockets: 0, requests: 0 };
  const waiting = new Set<() => void>();
  const change = (counted: Counted, by: number) => {
    held[counted] += by;
    for (const look of [...waiting]) look();
  };
  const acquire: ConcurrencyLimit['acquire'] = (counted, principal) => {
    const release = limit.acquire(counted, principal);
    change(counted, 1);
    let isHeld = true;
    return () => {
      release();
      if (isHeld) change(counted, -1);
      isHeld = false;
    };
  };
  /** Resolves when so many places are held; the test times out otherwise. */
  const until = (counted: Counted, count: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (held[counted] !== count) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { acquire, held, until };
}

/** Every endpoint on one loopback port, over a flow whose streams end when a test says so. */
async function served(counted: Counted, more: { authorize?: Authorize; concurrencyLimit?: undefined } = {}) {
  const limit = watched(createConcurrencyLimit({ [counted]: most }));
  const clock = fakeClock();
  const settings = {
    authorize: userOf,
    logger: silent,
    clock,
    concurrencyLimit: limit,
    rateLimit: createRateLimit({ perMinute: 0 }),
    heartbeatMs: 1_000,
    dialects: everyDialect,
    ...more,
  };
  const streams: ReturnType<typeof openStream>[] = [];
  const beginning: ((nothing: undefined) => void)[] = [];
  const feeds: ReadableStreamDefaultController<never>[] = [];
  const open = async (): Promise<FlowStream> => {
    const opened = openStream();
    streams.push(opened);
    for (const resolve of beginning.splice(0)) resolve(undefined);
    return opened.stream;
  };
  const methods: FakeMethods = {
    chats: {
      respond: open,
      resume: open,
      follow: open,
      timeline: async () => [],
      list: async () => ({ items: [] }),
      stop: async () => {},
    },
    approvals: {
      list: async () => ({ items: [question()] }),
      feed: async () => ({
        ...{ after: '', reader: '' },
        changes: new ReadableStream<never>({ start: (controller) => void feeds.push(controller) }),
      }),
    },
  };
  const flow = fakeFlow(methods);
  const sockets = createUpgradeHandler(flow, settings);
  const upgraded = Promise.withResolvers<Duplex>();
  const connections = { left: 0, waiting: new Set<() => void>() };
  const watch = (connection: Duplex) => {
    upgraded.resolve(connection);
    connection.once('close', () => {
      connections.left += 1;
      for (const look of [...connections.waiting]) look();
    });
  };
  /** Resolves when so many more connections have closed. */
  const left = (count: number) => {
    const goal = connections.left + count;
    return new Promise<void>((resolve) => {
      connections.waiting.add(() => connections.left >= goal && resolve());
    });
  };
  const server = await serve({
    before: ({ socket }) => watch(socket),
    fetch: createFetchHandler(flow, settings),
    upgrade: sockets.handleUpgrade,
  });
  /** Resolves when the flow has begun the next stream. */
  const begun = () => new Promise<undefined>((resolve) => void beginning.push(resolve));
  const closed = Promise.withResolvers<void>();
  const close = () => {
    void server.close().then(closed.resolve);
    return closed.promise;
  };
  onTestFinished(async () => {
    await Promise.all([sockets.close(), close()]);
  });
  return {
    url: server.url,
    close,
    limit,
    flow,
    begun,
    left,
    upgraded: upgraded.promise,
    streams,
    feeds,
    clock,
    sockets,
  };
}

type Server = Awaited<ReturnType<typeof served>>;

function userOf({ headers }: Request) {
  const id = headers.get(userHeader) ?? 'ada';
  return { id, name: id };
}

const streamId = formatStreamId(parseChatId('chat1'), 'run_1' as never);
const json = { 'content-type': 'application/json' };

/** Something that was opened, or refused. */
type Opened = {
  readonly status: number;
  readonly retryAfter: unknown;
  readonly body: string;
  leave(): void;
};

/** One way to take a place, as a user. */
type Way = {
  readonly counted: Counted;
  /** @param signal aborted before it was opened: the client drops its connection */
  readonly open: (server: Server, user?: string, signal?: AbortSignal) => Promise<Opened>;
};

function http(counted: Counted, method: string, path: string, body?: unknown): Way {
  return {
    counted,
    async open({ url }, user = 'ada', signal) {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        ...json,
        [userHeader]: user,
        ...(text && { 'content-length': Buffer.byteLength(text) }),
      };
      const outgoing = request(`${url}${path}`, { method, headers, agent: false });
      outgoing.on('error', () => {});
      signal?.addEventListener('abort', () => outgoing.destroy());
      outgoing.end(text);
      const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
      if (!incoming) throw new Error('There was no response.');
      incoming.on('error', () => {});
      return {
        status: incoming.statusCode ?? 0,
        retryAfter: incoming.headers['retry-after'],
        body: incoming.statusCode === 200 ? '' : await textOf(incoming),
        leave: () => outgoing.destroy(),
      };
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of incoming) text += piece;
  return text;
}

function socketAt(path: string): Way {
  return {
    counted: 'sockets',
    async open({ url }, user = 'ada') {
      const opened = Promise.withResolvers<Opened>();
      const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { [userHeader]: user } });
      onTestFinished(() => socket.terminate());
      socket.on('error', () => {});
      const leave = () => socket.terminate();
      socket.on('open', () => opened.resolve({ status: 200, retryAfter: undefined, body: '', leave }));
      socket.on('unexpected-response', async (_request: ClientRequest, incoming: IncomingMessage) => {
        const { statusCode: status = 0, headers } = incoming;
        opened.resolve({ status, retryAfter: headers['retry-after'], body: await textOf(incoming), leave });
      });
      return opened.promise;
    },
  };
}

/** A request on a socket of its own. What is refused there comes as a frame. */
function frameAt(path: string, frame: object): Way {
  return {
    counted: 'requests',
    async open({ url, begun }, user = 'ada', signal) {
      const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { [userHeader]: user } });
      onTestFinished(() => socket.terminate());
      signal?.addEventListener('abort', () => socket.terminate());
      await once(socket, 'open');
      const begins = begun();
      socket.send(JSON.stringify(frame));
      const refusal = Promise.withResolvers<string>();
      socket.on('message', (data) => String(data).includes('"error"') && refusal.resolve(String(data)));
      const body = await Promise.race([begins, refusal.promise]);
      const leave = () => socket.terminate();
      if (body === undefined) return { status: 200, retryAfter: undefined, body: '', leave };
      return { status: body.includes('requests are in progress') ? 429 : 0, retryAfter: '1', body, leave };
    },
  };
}

const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
const send = {
  type: 'send',
  requestId: 'r1',
  id: 'chat1',
  trigger: 'submit-message',
  messages: [message],
};

const ways: Readonly<Record<string, Way>> = {
  'a feed': http('feeds', 'GET', '/api/approvals/events'),
  'a message': http('requests', 'POST', '/api/chat', { id: 'chat1', trigger: 'submit-message', message }),
  'a resumed response': http('requests', 'GET', '/api/chat/chat1/stream'),
  'tool events': http('requests', 'POST', '/api/dialects/tool-events', { message: 'Hi' }),
  'a two-step stream': http('requests', 'GET', `/api/chat/stream/${streamId}`),
  'a streamed response of the Responses API': http('requests', 'POST', '/v1/responses', {
    input: 'Hi',
    stream: true,
  }),
  'a chat’s socket': socketAt('/api/chat/socket'),
  'a socket of the chat socket dialect': socketAt('/api/dialects/chat-socket'),
  'a message on a socket': frameAt('/api/chat/socket', send),
  'a message of the chat socket dialect': frameAt('/api/dialects/chat-socket', {
    type: 'message',
    content: 'Hi',
  }),
};

const rows = Object.entries(ways);

async function openAll(way: Way, server: Server): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (let count = 0; count < most; count += 1) opened.push(await way.open(server));
  expect(opened.map(({ status }) => status)).toEqual(Array(most).fill(200));
  return opened;
}

describe('a limit on what a principal may have open at the same time', () => {
  it.each(rows)(
    '%s: answers one too many with 429, does not affect others, and frees a slot when one ends',
    async (_, way) => {
      const server = await served(way.counted);
      const opened = await openAll(way, server);
      const refused = await way.open(server);
      expect(refused).toMatchObject({ status: 429, retryAfter: '1' });
      expect(refused.body).toMatch(/then try again/);
      expect((await way.open(server, 'eve')).status).toBe(200);
      const { held, until } = server.limit;
      opened[0]?.leave();
      await until(way.counted, most);
      expect((await way.open(server)).status).toBe(200);
      expect(held[way.counted]).toBe(most + 1);
    },
  );

  it.each(rows)('%s: leaves every slot free after being opened and dropped many times', async (_, way) => {
    const server = await served(way.counted);
    for (let round = 0; round < rounds; round += 1) {
      for (const { leave } of await openAll(way, server)) leave();
      await server.limit.until(way.counted, 0);
    }
    expect((await way.open(server)).status).toBe(200);
  });

  it('counts a short request too while it is running, but never one that stops a run', async () => {
    const server = await served('requests');
    const way = ways['a message'] as Way;
    await openAll(way, server);
    const list = http('requests', 'GET', '/api/approvals');
    expect((await list.open(server)).status).toBe(429);
    expect((await list.open(server, 'eve')).status).toBe(200);
    const stop = http('requests', 'DELETE', '/api/chat/chat1/run', {});
    expect((await stop.open(server)).status).toBe(204);
    expect((await ways['a feed']?.open(server))?.status).toBe(200);
  });

  it('lets a client at its limit still cancel on the chat socket', async () => {
    const server = await served('requests');
    await openAll(ways['a message'] as Way, server);
    let isStopped = () => {};
    const stopped = new Promise<void>((resolve) => {
      isStopped = resolve;
    });
    server.flow.chats.stop = async () => isStopped();
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/dialects/chat-socket`);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'cancel', conversation_id: 'chat1' }));
    await stopped;
  });
});

describe('the default limit', () => {
  it.each<[string, number, number]>([
    ['a feed', 200, 100],
    ['a message', 200, 100],
    ['a chat’s socket', 200, 100],
  ])(
    '%s: allows a hundred at once for each principal, even when the rate limit is off',
    async (name, status, count) => {
      const way = ways[name] as Way;
      const server = await served(way.counted, { concurrencyLimit: undefined });
      const opened: Opened[] = [];
      for (let index = 0; index < count; index += 1) opened.push(await way.open(server));
      expect(new Set(opened.map((one) => one.status))).toEqual(new Set([status]));
      expect((await way.open(server)).status).toBe(429);
      expect((await way.open(server, 'eve')).status).toBe(status);
      for (const { leave } of opened) leave();
    },
  );
});

describe('a slot is freed exactly once', () => {
  const endings: readonly [what: string, way: string, end: (server: Server) => unknown][] = [
    ['a feed that the flow ends', 'a feed', ({ feeds }) => feeds.map((feed) => feed.close())],
    ['a feed that breaks', 'a feed', ({ feeds }) => feeds.map((feed) => feed.error(new Error('Broken.')))],
    ...Object.entries(ways)
      .filter(([name, { counted }]) => counted === 'requests' && name !== 'a feed')
      .flatMap(([name]): [string, string, (server: Server) => unknown][] => [
        [`${name} whose stream ends`, name, ({ streams }) => streams.map(({ end }) => end())],
        [
          `${name} whose stream breaks`,
          name,
          ({ streams }) => streams.map(({ fail }) => fail(new Error('Broken.'))),
        ],
        [`${name} when the server closes`, name, closeServers],
      ]),
    ['a chat’s socket when its server closes', 'a chat’s socket', closeServers],
    ['a socket of the dialect when its server closes', 'a socket of the chat socket dialect', closeServers],
  ];

  async function closeServers({ sockets, close }: Server) {
    await Promise.all([sockets.close(), close()]);
  }

  it.each(endings)('%s', async (_, name, end) => {
    const way = ways[name] as Way;
    const server = await served(way.counted);
    await openAll(way, server);
    await end(server);
    await server.limit.until(way.counted, 0);
  });

  it.each(rows.filter(([, { counted }]) => counted !== 'sockets'))(
    '%s that fails while it starts',
    async (_, way) => {
      const server = await served(way.counted);
      const fail = async () => {
        throw new Error('The store is away.');
      };
      Object.assign(server.flow.chats, { respond: fail, resume: fail, follow: fail });
      Object.assign(server.flow.approvals, { feed: fail });
      for (let attempt = 0; attempt <= most; attempt += 1) {
        const { body } = await way.open(server);
        expect(body).toMatch(/Something went wrong/);
      }
      await server.limit.until(way.counted, 0);
    },
  );

  it.each(rows.filter(([, { counted }]) => counted !== 'sockets'))(
    '%s whose client leaves before it has started',
    async (_, way) => {
      const server = await served(way.counted);
      const { flow, limit } = server;
      const asked = Array.from({ length: most }, () => Promise.withResolvers<void>());
      const goOn = Promise.withResolvers<void>();
      let count = 0;
      const late =
        <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
        async (...args: Args) => {
          asked[count++]?.resolve();
          await goOn.promise;
          return method(...args);
        };
      const { respond, resume, follow } = flow.chats;
      Object.assign(flow.chats, { respond: late(respond), resume: late(resume), follow: late(follow) });
      Object.assign(flow.approvals, { feed: late(flow.approvals.feed) });
      const leaving = new AbortController();
      for (const { promise } of asked) {
        way.open(server, 'ada', leaving.signal).catch(() => {});
        await promise;
      }
      expect(limit.held[way.counted]).toBe(most);
      const gone = server.left(most);
      leaving.abort();
      await gone;
      goOn.resolve();
      await limit.until(way.counted, 0);
    },
  );

  it('when a body is never sent completely', async () => {
    const server = await served('requests');
    for (let round = 0; round < rounds; round += 1) {
      const uploads = Array.from({ length: most }, () => {
        const headers = { ...json, 'content-length': 1_000 };
        const upload = request(`${server.url}/api/chat`, { method: 'POST', headers, agent: false });
        upload.on('error', () => {});
        upload.write('{');
        return upload;
      });
      await server.limit.until('requests', most);
      expect((await http('requests', 'GET', '/api/approvals').open(server)).status).toBe(429);
      for (const upload of uploads) upload.destroy();
      await server.limit.until('requests', 0);
    }
  });

  it('when a feed is requested with HEAD, whose body no one reads', async () => {
    const { flow, limit } = await served('feeds');
    const handler = createFetchHandler(flow, { authorize: userOf, concurrencyLimit: limit });
    const head = new Request('http://localhost/api/approvals/events', { method: 'HEAD' });
    for (let attempt = 0; attempt <= most; attempt += 1) {
      const { status, body } = await handler(head);
      expect({ status, body }).toEqual({ status: 200, body: null });
    }
    expect(limit.held.feeds).toBe(0);
  });

  it('when the client of a plain Responses request disconnects while its run continues', async () => {
    const server = await served('requests');
    const way = http('requests', 'POST', '/v1/responses', { input: 'Hi' });
    for (let round = 0; round < rounds; round += 1) {
      const leaving = new AbortController();
      for (let count = 0; count < most; count += 1) {
        const begins = server.begun();
        way.open(server, 'ada', leaving.signal).catch(() => {});
        await begins;
      }
      expect((await way.open(server)).status).toBe(429);
      leaving.abort();
      await server.limit.until('requests', 0);
    }
  });

  it('when a frame aborts a request on a socket', async () => {
    const { url, limit, begun } = await served('requests');
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/chat/socket`);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    for (let attempt = 0; attempt < rounds * most; attempt += 1) {
      const begins = begun();
      socket.send(JSON.stringify(send));
      await begins;
      socket.send(JSON.stringify({ type: 'abort', requestId: 'r1' }));
      await limit.until('requests', 0);
    }
  });

  it('when a socket dies silently, at the second heartbeat', async () => {
    const server = await served('sockets');
    const { url, limit, clock } = server;
    for (let count = 0; count < most; count += 1) {
      const dead = createConnection(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void dead.destroy());
      dead.write(handshake('13'));
      await once(dead, 'data');
      dead.pause();
    }
    expect(limit.held.sockets).toBe(most);
    clock.advance(1_000);
    clock.advance(1_000);
    await limit.until('sockets', 0);
  });

  it('when the socket library refuses a handshake', async () => {
    const { url, limit } = await served('sockets');
    for (let attempt = 0; attempt <= most; attempt += 1) {
      const peer = createConnection(Number(new URL(url).port), '127.0.0.1');
      peer.write(handshake('7'));
      const [answer] = await once(peer, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 400/);
      peer.destroy();
      await limit.until('sockets', 0);
    }
  });

  it('when the peer of a handshake disconnects while it is being authorized', async () => {
    const looking = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const authorize: Authorize = async (incoming) => {
      looking.resolve();
      await goOn.promise;
      return userOf(incoming);
    };
    const { url, limit, upgraded } = await served('sockets', { authorize });
    const peer = createConnection(Number(new URL(url).port), '127.0.0.1');
    peer.write(handshake('13'));
    await looking.promise;
    const connection = await upgraded;
    const closed = new Promise((resolve) => connection.once('close', resolve));
    peer.resetAndDestroy();
    await closed;
    const taken = limit.until('sockets', 1);
    goOn.resolve();
    await taken;
    await limit.until('sockets', 0);
  });
});

function handshake(version: string): string {
  const headers = [
    'host: localhost',
    'connection: Upgrade',
    'upgrade: websocket',
    `sec-websocket-version: ${version}`,
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
  ];
  return ['GET /api/chat/socket HTTP/1.1', ...headers, '', ''].join('\r\n');
}
