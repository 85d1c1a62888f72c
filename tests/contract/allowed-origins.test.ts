import { createConcurrencyLimit, createSessionHandlers, type Route } from 'countersign/http/server';
import { createFetchHandler, createSseHandlers } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { endpointsOf } from '../../lib/server/endpoints.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { everyDialect } from '../support/every-plugin.ts';
import { handshake } from '../support/handshake.ts';
import { sendRaw } from '../support/raw-request.ts';
import { asAda, type FakeMethods, fakeFlow, openStream, streamOf, turnOfText } from './support/fake-flow.ts';

const page = 'https://app.example.com';
const allowedOrigins = [page, 'http://localhost:5173'];
const settings = { authorize: asAda, allowedOrigins, logger: { warn: () => {}, error: () => {} } };
const json = { 'content-type': 'application/json' };
const hi = { id: 'chat1', message: { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] } };

/** What lets a page of this origin read a response, with its cookies. */
const readable = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'retry-after, x-vercel-ai-ui-message-stream, countersign-reader',
  vary: 'Origin',
});

/** The headers of a response that are about origins. */
function corsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
}

type Sent = { method?: string; path: string; origin?: string; headers?: object; body?: unknown };

/** A server with all endpoints, and requests that a browser would send for a page. */
async function serving(methods: FakeMethods = {}, more: object = {}) {
  const { url, close } = await serveFlow(fakeFlow(methods), { ...settings, ...more });
  onTestFinished(close);
  return {
    url,
    send: ({ method = 'GET', path, origin = page, headers, body }: Sent) =>
      sendRaw({ method, url: `${url}${path}`, headers: { ...json, origin, ...headers }, body }),
  };
}

const preflight = (path: string, origin = page): Sent => ({
  method: 'OPTIONS',
  path,
  origin,
  headers: {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  },
});

describe('pages of other origins [H-Identity]', () => {
  it('may send what their preflight asks for, if their origin is listed', async () => {
    const { send } = await serving();
    for (const origin of allowedOrigins) {
      const { status, headers, text } = await send(preflight('/api/chat', origin));
      expect([status, text]).toEqual([204, '']);
      expect(corsOf(headers)).toEqual({
        ...readable(origin),
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '600',
      });
    }
  });

  it('need no sign-in for a preflight, which browsers send without credentials', async () => {
    const { send } = await serving({}, { authorize: () => null });
    expect((await send(preflight('/api/chat'))).status).toBe(204);
    expect((await send({ path: '/api/chat' })).status).toBe(401);
  });

  it('may read a stream', async () => {
    const { send } = await serving({ chats: { respond: async () => streamOf(turnOfText(['Hello'])) } });
    const { status, text, headers } = await send({ method: 'POST', path: '/api/chat', body: hi });
    expect([status, text]).toEqual([200, expect.stringContaining('Hello')]);
    expect(corsOf(headers)).toEqual(readable(page));
  });

  it('may read a stream that fails', async () => {
    const { stream, fail } = openStream();
    const { send } = await serving({ chats: { respond: async () => stream } });
    fail(new Error('The log cannot be read.'));
    const { text, headers } = await send({ method: 'POST', path: '/api/chat', body: hi });
    expect(text).toContain('"type":"error"');
    expect(corsOf(headers)).toEqual(readable(page));
  });

  const tooMany = {
    acquire: () => () => {},
    take: () => {
      throw new Error('The rate limit is broken.');
    },
  };

  it.each<[status: number, sent: Sent, settings?: object]>([
    [204, { path: '/api/chat/chat1/stream' }],
    [204, { method: 'DELETE', path: '/api/chat/chat1/run' }],
    [400, { method: 'POST', path: '/api/chat', body: {} }],
    [401, { path: '/api/chat' }, { authorize: () => null }],
    [403, { path: '/api/chat', headers: { host: 'another.example' } }],
    [404, { path: '/api/chat/chat1' }],
    [404, { path: '/api/nothing' }],
    [405, { method: 'PATCH', path: '/api/chat' }],
    [413, { method: 'POST', path: '/api/chat', body: hi }, { limits: { bodyBytes: 10 } }],
    [500, { path: '/api/chat' }, { rateLimit: tooMany }],
  ])('may read a response with status %i: %o', async (status, sent, more) => {
    const { send } = await serving({ chats: { stop: async () => {} } }, more);
    const response = await send(sent);
    expect(response.status).toBe(status);
    expect(corsOf(response.headers)).toEqual(readable(page));
  });

  it('may not do anything if their origin is not listed', async () => {
    const { send } = await serving();
    for (const origin of ['https://evil.example', 'https://app.example.com.evil.example', 'null']) {
      for (const sent of [preflight('/api/chat', origin), { path: '/api/chat', origin }]) {
        const { status, headers } = await send(sent);
        expect(status).toBe(403);
        expect(corsOf(headers)).toEqual({ vary: 'Origin' });
      }
    }
  });

  it.each([
    ['without the setting', undefined],
    ['with an empty list', []],
  ])('may not do anything %s', async (_what, list) => {
    const { send } = await serving({}, { allowedOrigins: list });
    for (const sent of [preflight('/api/chat'), { path: '/api/chat' }]) {
      const { status, headers } = await send(sent);
      expect(status).toBe(403);
      expect(corsOf(headers)).toEqual({});
    }
  });

  it('do not change what pages of this server may do', async () => {
    const { url, send } = await serving({
      chats: { list: async () => ({ items: [], next: null }) as never },
    });
    const { status, headers } = await send({ path: '/api/chat', origin: url });
    expect(status).toBe(200);
    expect(corsOf(headers)).toEqual({ vary: 'Origin' });
  });
});

const registry = sqliteStore({ path: ':memory:' });
afterAll(() => registry.close());
const { sessions } = registry;

/** Every single handler of every server half, by name. */
function everyRoute(): [name: string, method: string, route: Route][] {
  const flow = fakeFlow();
  const concurrencyLimit = createConcurrencyLimit();
  const shared = { ...settings, concurrencyLimit, dialects: everyDialect };
  const groups: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
    ...Object.fromEntries(endpointsOf(flow, shared).map(({ path, methods }) => [path, methods])),
    ...createSseHandlers(flow, settings),
    ...createSessionHandlers({ ...settings, sessions }),
    '/v1/x': { POST: createFetchHandler(flow, shared) },
    whole: { GET: createFetchHandler(flow, settings) },
  };
  return Object.entries(groups).flatMap(([name, group]) =>
    Object.entries(group).map(
      ([method, route]) => [`${name}.${method}`, method, route] as [string, string, Route],
    ),
  );
}

describe('every single handler [H-Identity]', () => {
  it.each(everyRoute())(
    '%s answers preflights, and never handles OPTIONS otherwise',
    async (name, method, route) => {
      const url = `http://localhost/${name.startsWith('/v1/') ? 'v1/x' : 'x/y'}`;
      const headers = { ...json, host: 'localhost', origin: page };
      const asked = await route(new Request(url, { method: 'OPTIONS', headers }));
      expect([asked.status, await asked.text()]).toEqual([204, '']);
      expect(corsOf(asked.headers)).toMatchObject(readable(page));

      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
      const response = await route(new Request(url, { method, headers, ...body }));
      expect(corsOf(response.headers)).toEqual(readable(page));
      await response.body?.cancel();
    },
  );
});

describe('sockets of pages of other origins [H3]', () => {
  it.each([
    ['a listed origin', page, 101],
    ['another listed origin', 'http://localhost:5173', 101],
    ['an origin that is not listed', 'https://evil.example', 403],
    ['a listed host with another scheme', 'http://app.example.com', 403],
    ['an opaque origin', 'null', 403],
  ])('%s', async (_what, origin, status) => {
    const { url } = await serving({}, { dialects: everyDialect });
    expect(await handshake(url, '/api/chat/socket', { origin })).toBe(status);
    expect(await handshake(url, '/api/dialects/chat-socket', { origin })).toBe(status);
  });
});
