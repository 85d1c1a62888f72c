import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { generateId, type ToolSet, tool } from 'ai';
import { type FlowSettings, notTheAsker } from 'countersign';
import {
  type Authorize,
  createBearerIdentity,
  createConcurrencyLimit,
  createCookieIdentity,
  createRateLimit,
} from 'countersign/http/server';
import { toolEvents } from 'countersign/plugins/tool-events';
import { createChatId } from 'countersign/react';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script, type ScriptedStep } from 'countersign/testing';
import { expect, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type Principal, parseChatId, type SessionStore } from '../../lib/protocol/index.ts';
import { createSigner } from '../../lib/server/identity/derive-key.ts';
import { parseChatRequest } from '../../lib/server/requests/chat-request.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { type ServeFlowSettings, serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { sendRaw } from '../support/raw-request.ts';
import { silentProxy } from '../support/silent-proxy.ts';
import { reverseProxy } from './reverse-proxy.ts';

const { clause } = adr('0012-identity.md');

const secret = 'a secret that only the server knows';
const eve: Principal = { id: 'eve', name: 'Eve' };
const asking: ScriptedStep[] = [[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Paid.' }]];
const json = { 'content-type': 'application/json' };
type Headers = Readonly<Record<string, string>>;

/** A flow behind every endpoint, on a loopback port, until the end of the test. */
async function served(settings: ServeFlowSettings, script: Script = asking, of: Partial<FlowSettings> = {}) {
  const fixture = flowFixture(script, of);
  const { url, close } = await serveFlow(fixture.flow, settings);
  onTestFinished(async () => {
    await close();
    await fixture.flow.close();
  });
  return { ...fixture, url, ...clientOf(url) };
}

function clientOf(url: string) {
  const send = (method: string, path: string, headers: Headers = {}, body?: unknown) =>
    sendRaw({ method, url: `${url}${path}`, headers: { ...json, ...headers }, body });
  return {
    send,
    statusOf: async (headers: Headers) => (await send('GET', '/api/chat', headers)).status,
  };
}

/** A separate session registry, until the end of the test. */
function registry() {
  const store = sqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return store.sessions;
}

/** Every request about one chat and one question. */
const requestsFor = (chatId: string, approvalId: string): [string, string, unknown?][] => [
  ['GET', `/api/chat/${chatId}`],
  ['PATCH', `/api/chat/${chatId}`, { title: 'Mine now' }],
  ['DELETE', `/api/chat/${chatId}`, {}],
  ['DELETE', `/api/chat/${chatId}/run`, {}],
  ['GET', `/api/chat/${chatId}/audit`],
  ['GET', `/api/chat/${chatId}/stream`],
  ['GET', `/api/approvals/${approvalId}`],
  ['POST', `/api/approvals/${approvalId}`, { approved: true }],
  ['POST', '/api/chat', { id: chatId, trigger: 'regenerate-message' }],
];

async function openSocket(url: string, headers: Headers = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/chat/socket`, { headers });
  onTestFinished(() => socket.terminate());
  const answer = Promise.withResolvers<number>();
  socket.on('open', () => answer.resolve(101));
  socket.on('unexpected-response', (_request, { statusCode }) => answer.resolve(statusCode ?? 0));
  socket.on('error', () => {});
  const status = await answer.promise;
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const ask = async (requestId: string): Promise<{ type: string; errorText?: string }> => {
    socket.send(JSON.stringify({ type: 'resume', requestId, id: 'nothing-here' }));
    const [data] = await once(socket, 'message');
    return JSON.parse(String(data));
  };
  return { status, ask, closed };
}

clause('0012.1', async () => {
  const unstamped = createCookieIdentity({ secret, sessions: registry() });
  const nobody: Authorize[] = [() => null, async () => null, unstamped.authorize];
  for (const authorize of nobody) {
    const { url, send } = await served({ authorize });
    for (const [method, path, body] of [...requestsFor('any', 'any'), ['GET', '/api/approvals/events']]) {
      const { status } = await send(String(method), String(path), {}, body);
      expect({ method, path, status }).toEqual({ method, path, status: 401 });
    }
    expect((await openSocket(url)).status).toBe(401);
  }

  // Rejected: a default principal. A forgotten setting is not noticed.
  const open = await served({ authorize: () => ({ id: 'anonymous', name: 'Anonymous' }) });
  expect(await open.statusOf({})).toBe(200);
});

clause('0012.2', async () => {
  let who: Principal = ada;
  const { flow, store, chat, send } = await served({ authorize: () => who });
  const question = questionIn(await chat('chat-of-ada').say('Pay Alice.'));
  who = eve;
  const theirs = requestsFor('chat-of-ada', question);
  const absent = requestsFor('no-such-chat', 'no-such-question');
  for (const [index, [method, path, body]] of theirs.entries()) {
    const [, otherPath, otherBody] = absent[index] ?? ['', ''];
    const there = await send(method, path, {}, body);
    const nowhere = await send(method, otherPath, {}, otherBody);
    const anonymous = (text: string) =>
      text.replaceAll(/chat-of-ada|no-such-chat/g, 'C').replaceAll(/apr_[\w-]+|no-such-question/g, 'Q');
    expect({ path, status: there.status, text: anonymous(there.text) }).toEqual({
      path,
      status: nowhere.status,
      text: anonymous(nowhere.text),
    });
    expect([404, 204]).toContain(there.status);
  }
  expect((await send('GET', '/api/chat')).text).toBe('{"chats":[]}');
  expect((await send('GET', '/api/approvals')).text).toBe('{"approvals":[]}');
  const chatId = parseChatId('chat-of-ada');
  await expect(flow.chats.timeline({ chatId, principal: eve })).rejects.toMatchObject({ code: 'not-found' });
  expect((await flow.chats.read({ chatId, principal: ada })).open).toBe(question);

  // Rejected: to answer that it exists and is forbidden.
  const forbidding = async (id: string) => {
    const head = await store.chats.head(parseChatId(id));
    return head === undefined ? 404 : head.ownerId === eve.id ? 200 : 403;
  };
  expect(await Promise.all(['chat-of-ada', 'no-such-chat'].map(forbidding))).toEqual([403, 404]);
});

clause('0012.3', async () => {
  const given: unknown[] = [];
  const pay = tool({
    inputSchema: z.looseObject({}),
    needsApproval: true,
    execute: async (_input, options: { context?: unknown }) => {
      given.push(options.context);
      return 'paid';
    },
  });
  const settings = { tools: { pay } as ToolSet, mayAnswer: () => true };
  const users: Record<string, Principal> = { ada, eve };
  const authorize: Authorize = (request) => users[request.headers.get('x-test-user') ?? ''] ?? null;
  const { chat, send } = await served({ authorize }, asking, settings);
  const question = questionIn(await chat().say('Pay Alice.'));
  await send('POST', `/api/approvals/${question}`, { 'x-test-user': 'eve' }, { approved: true });
  await chat().resume();
  expect(given).toMatchObject([{ principal: ada, approvedBy: eve, chatId: 'chat' }]);
  const log = await chat().events();
  expect(log.find(({ type }) => type === 'approval-requested')).toMatchObject({ askedBy: ada });
  expect(log.find(({ type }) => type === 'approval-answered')).toMatchObject({ by: eve, via: 'http' });
});

clause('0012.4', async () => {
  const time = { value: Date.UTC(2030, 0, 1) };
  const settings = { secret, sessions: registry(), maxAgeMs: 60_000, clock: { now: () => time.value } };
  const { authorize, issue, stampPeer } = createCookieIdentity(settings);
  const { statusOf } = await served({ authorize, stampPeer });
  const anywhere = new Request('http://127.0.0.1/');
  const cookieIn = (setCookie: string) => setCookie.split(';')[0] ?? '';
  const cookie = cookieIn(await issue(ada, anywhere));
  const [, session = ''] = /=(.*)\./.exec(cookie) ?? [];
  const forged = [
    cookie.replace(/.{6}$/, 'AAAAAA'),
    `countersign=${session}`,
    `countersign=${Buffer.from(JSON.stringify({ ...ada, until: time.value + 1 })).toString('base64url')}.AAAA`,
    `countersign=${createSigner(secret, 'peer-stamp').sign(session)}`,
    cookieIn(
      await createCookieIdentity({ ...settings, secret: 'a secret of another server' }).issue(ada, anywhere),
    ),
  ];
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ cookie })).toBe(200);
  for (const wrong of forged) expect(await statusOf({ cookie: wrong })).toBe(401);
  time.value += 60_000;
  expect(await statusOf({ cookie })).toBe(401);
});

clause('0012.5', async () => {
  const { authorize, stampPeer } = createCookieIdentity({ secret, sessions: registry() });
  const local = await served({ authorize, stampPeer });
  expect(await local.statusOf({})).toBe(200);
  expect(await local.statusOf({ 'x-forwarded-for': '127.0.0.1' })).toBe(401);
  expect(await local.statusOf({ forwarded: 'for=127.0.0.1' })).toBe(401);
  expect(await local.statusOf({ host: 'evil.example' })).toBe(403);
  expect(await (await served({ authorize })).statusOf({ 'x-countersign-peer': 'local' })).toBe(401);
  const claims = { 'x-forwarded-for': '127.0.0.1' };
  const behind = clientOf(await reverseProxy(local.url));
  expect(await behind.statusOf({})).toBe(401);
  expect(await behind.statusOf(claims)).toBe(401);

  for (const sign of ['via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'cdn-loop']) {
    expect([sign, await local.statusOf({ [sign]: '203.0.113.7' })]).toEqual([sign, 401]);
    expect([sign, (await openSocket(local.url, { [sign]: '203.0.113.7' })).status]).toEqual([sign, 401]);
  }
  const silent = await silentProxy(local.url, { version: '1.0' });
  expect(await clientOf(silent).statusOf({})).toBe(401);
  expect((await openSocket(silent)).status).toBe(401);
  // A proxy without any sign is not recognized. Use `localUser: null` behind it.
  expect(await clientOf(await silentProxy(local.url, { version: '1.1' })).statusOf({})).toBe(200);
  const unlocal = createCookieIdentity({ secret, sessions: registry(), localUser: null });
  const off = await served({ authorize: unlocal.authorize, stampPeer: unlocal.stampPeer });
  expect(await clientOf(await silentProxy(off.url, { version: '1.1' })).statusOf({})).toBe(401);

  // Rejected: a request without an X-Forwarded-* header comes from this machine.
  const byAbsence: Authorize = (request) => (request.headers.has('x-forwarded-for') ? null : ada);
  const trusting = await served({ authorize: byAbsence });
  expect(await clientOf(await silentProxy(trusting.url, { version: '1.0' })).statusOf({})).toBe(200);

  // Rejected: the first address in the header is trusted.
  const byHeader: Authorize = (request) =>
    request.headers.get('x-forwarded-for')?.split(',')[0] === '127.0.0.1' ? ada : null;
  const believing = clientOf(await reverseProxy((await served({ authorize: byHeader })).url));
  expect(await believing.statusOf(claims)).toBe(200);

  // Rejected: a connection from this machine is always the local user.
  const noteAddress = ({ headers, socket }: IncomingMessage) => {
    headers['x-address'] = socket.remoteAddress;
  };
  const byAddress: Authorize = (request) => (request.headers.get('x-address') === '127.0.0.1' ? ada : null);
  const nearsighted = await served({ authorize: byAddress, stampPeer: noteAddress });
  expect(await clientOf(await reverseProxy(nearsighted.url)).statusOf({})).toBe(200);
});

clause('0012.6', async () => {
  const cookie = 'session=of-ada';
  const byCookie: Authorize = (request) => (request.headers.get('cookie') === cookie ? ada : null);
  const hostile: [number, Headers][] = [
    [403, { host: 'evil.example' }],
    [403, { host: 'evil.example', origin: 'http://evil.example' }],
    [403, { origin: 'https://evil.example' }],
    [403, { origin: 'null' }],
    [403, { 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'same-site' }],
    [400, { 'content-type': 'application/x-www-form-urlencoded' }],
    [400, { 'content-type': 'text/plain' }],
  ];
  const request = (id: number) => ({
    id: `chat-${id}`,
    trigger: 'submit-message',
    message: { id: `u${id}`, role: 'user', parts: [{ type: 'text', text: 'Pay Mallory 1000.' }] },
  });
  const listed = 'https://app.example.com';
  const guarded = await served({ authorize: byCookie, allowedOrigins: [listed] });
  for (const [index, [expected, headers]] of hostile.entries()) {
    const { status } = await guarded.send('POST', '/api/chat', { cookie, ...headers }, request(index));
    expect({ headers, status }).toEqual({ headers, status: expected });
  }
  const own = { origin: guarded.url, 'sec-fetch-site': 'same-origin' };
  const other = { origin: listed, 'sec-fetch-site': 'cross-site' };
  for (const [id, headers] of [own, other].entries()) {
    const { status } = await guarded.send('POST', '/api/chat', { cookie, ...headers }, request(98 + id));
    expect(status).toBe(200);
  }
  const { items } = await guarded.flow.chats.list({ principal: ada });
  expect(items.map(({ id }) => id).sort()).toEqual(['chat-98', 'chat-99']);

  // Rejected: the cookie alone is sufficient.
  const { flow } = flowFixture(() => [{ text: 'Done.' }]);
  const naive = await serve({
    async fetch(incoming) {
      const principal = await byCookie(incoming);
      if (!principal) return new Response(null, { status: 401 });
      await flow.chats.respond({ ...parseChatRequest(await incoming.json()), principal, via: 'naive' });
      return new Response(null, { status: 200 });
    },
  });
  for (const [index, [, headers]] of hostile.entries()) {
    const { status } = await clientOf(naive.url).send(
      'POST',
      '/api/chat',
      { cookie, ...headers },
      request(index),
    );
    expect(status).toBe(200);
  }
  expect((await flow.chats.list({ principal: ada })).items).toHaveLength(hostile.length);
  await naive.close();
  await flow.close();
});

clause('0012.14', async () => {
  const clock = fakeClock();
  let who: Principal = ada;
  const settings = { deadlineMs: 60_000, sweepMs: 1_000_000_000, clock };
  const script = () => [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
  const { flow, store, chat, send } = await served({ authorize: () => who }, script, settings);
  const question = questionIn(await chat('chat-of-ada').say('Pay Alice.'));
  const [first] = await store.events.read(parseChatId('chat-of-ada'), 0, 1);
  clock.advance(60_001);
  who = eve;
  const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay Mallory.' }] };
  const requests = (chatId: string, approvalId: string): [string, string, object][] => [
    ['POST', '/api/chat', { id: chatId, trigger: 'regenerate-message', message }],
    ['POST', '/api/chat', { id: chatId, trigger: 'regenerate-message', messages: [message] }],
    ['POST', '/api/chat', { id: chatId, answers: [{ approvalId, approved: true }] }],
    ['POST', `/api/approvals/${approvalId}`, { approved: true }],
    ['DELETE', `/api/chat/${chatId}/run`, {}],
  ];
  const nowhere = requests('no-such-chat', question.replace(/.{6}$/, 'AAAAAA'));
  for (const [index, [method, path, body]] of requests('chat-of-ada', question).entries()) {
    const [, otherPath, otherBody] = nowhere[index] ?? ['', '', {}];
    const [theirs, none] = [await send(method, path, {}, body), await send(method, otherPath, {}, otherBody)];
    const anonymous = (text: string) => text.replaceAll(/chat-of-ada|no-such-chat|apr_[\w-]+/g, '…');
    expect({ path, status: theirs.status, text: anonymous(theirs.text) }).toEqual({
      path,
      status: 404,
      text: anonymous(none.text),
    });
  }
  const log = await store.events.read(parseChatId('chat-of-ada'), 0);
  expect(log[0]).toEqual(first);
  expect(log.at(-1)).toMatchObject({ type: 'run-suspended' });
  expect(await store.chats.head(parseChatId('no-such-chat'))).toBeUndefined();
  const begun = (id: string) => send('POST', '/api/chat', {}, { id, message });
  expect((await begun('chat-of-ada')).status).toBe(404);
  expect((await begun('chat-of-eve')).status).toBe(200);

  // Rejected: the deadline is applied before access is checked.
  await flow.chats.read({ chatId: parseChatId('chat-of-ada'), principal: ada });
  expect((await store.events.read(parseChatId('chat-of-ada'), 0)).length).toBeGreaterThan(log.length);
});

clause('0012.15', async () => {
  let who: Principal = ada;
  const mayAnswer: FlowSettings['mayAnswer'] = (by, { ownerId }) => by.id === ownerId;
  const script = () => [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
  const { chat, send, store } = await served({ authorize: () => who }, script, { mayAnswer });
  const as = (principal: Principal, path: string) => {
    who = principal;
    return send('GET', path);
  };
  for (const id of ['a1', 'a2', 'a3']) await chat(id).say('Pay.');
  const pages = ['/api/approvals?limit=1', '/api/chat?limit=1'];
  const read = () => Promise.all(pages.map(async (path) => (await as(ada, path)).text));
  const before = await read();
  await chat('e1', eve).say('Pay.');
  await chat('e2', eve)
    .stop()
    .catch(() => {});
  expect(await read()).toEqual(before);
  const [first, chats] = before.map((text) => String(JSON.parse(text).nextCursor));
  expect(first).toHaveLength(chats?.length ?? 0);
  expect((await as(ada, `${pages[0]}&cursor=${first}`)).status).toBe(200);
  expect((await as(eve, `${pages[0]}&cursor=${first}`)).status).toBe(400);
  expect((await as(ada, `${pages[1]}&cursor=${first}`)).status).toBe(400);
  expect((await as({ id: 'nil', name: 'Nil' }, pages[0] ?? '')).text).toBe('{"approvals":[]}');

  // Rejected: the store's own page and cursor, without the rows that may not be seen.
  const page = await store.questions.list({ state: 'open', limit: 1 });
  expect(page.items.filter(({ ownerId }) => ownerId === 'nil')).toEqual([]);
  const time = page.items[0]?.requestedAt;
  expect(Buffer.from(page.next ?? '', 'base64url').toString()).toBe(`${time}.1`);
});

clause('0012.16', async () => {
  const bitsOf = (id: string) => 8 * Buffer.from(id, 'base64url').length;
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  expect(bitsOf(createChatId())).toBe(128);
  expect(createChatId()).not.toBe(createChatId());
  const { flow } = flowFixture(() => [{ text: 'Done.' }]);
  const handler = createFetchHandler(flow, { authorize: () => ada, dialects: [toolEvents()] });
  const response = await handler(
    new Request('http://localhost/api/dialects/tool-events', {
      method: 'POST',
      headers: { ...json, host: 'localhost' },
      body: JSON.stringify({ message: 'Hello.' }),
    }),
  );
  await response.text();
  const [begun] = (await flow.chats.list({ principal: ada })).items;
  expect(bitsOf(begun?.id ?? '')).toBe(128);
  await flow.close();

  // Rejected: the ids follow from the state of `Math.random`.
  expect(generateId()).toBe(generateId());
});

clause('0012.7', async () => {
  const clock = fakeClock();
  const sessions = new Set(['of-ada']);
  const bySession: Authorize = (request) =>
    sessions.has(request.headers.get('x-session') ?? '') ? ada : null;
  const headers = { 'x-session': 'of-ada' };
  const heartbeatMs = 30_000;
  const { url } = await served({ authorize: bySession, clock, heartbeatMs });
  expect((await openSocket(url, { ...headers, origin: 'https://evil.example' })).status).toBe(403);
  expect((await openSocket(url, { ...headers, host: 'evil.example' })).status).toBe(403);
  const [speaking, silent] = [await openSocket(url, headers), await openSocket(url, headers)];
  expect(await speaking.ask('before')).toMatchObject({ type: 'no-active' });

  // Rejected: a socket is authorized only once.
  let known: ReturnType<Authorize> | undefined;
  const onceOnly: Authorize = (request) => {
    known ??= bySession(request);
    return known;
  };
  const lasting = await openSocket((await served({ authorize: onceOnly })).url, headers);

  sessions.clear();
  const refusal = await speaking.ask('after');
  expect(JSON.parse(refusal.errorText ?? '')).toMatchObject({ error: { code: 'unauthenticated' } });
  expect(await speaking.closed).toBe(4401);
  clock.advance(heartbeatMs);
  expect(await silent.closed).toBe(4401);
  expect(await lasting.ask('after')).toMatchObject({ type: 'no-active' });
});

clause('0012.8', async () => {
  const clock = fakeClock();
  const sessions = registry();
  const sessionCheckMs = 3_000;
  const anywhere = new Request('http://127.0.0.1/');
  const instance = async () => {
    const identity = createCookieIdentity({ secret, sessions });
    return { identity, ...(await served({ authorize: identity.authorize, clock, sessionCheckMs })) };
  };
  const [first, second] = [await instance(), await instance()];
  const [cookie = ''] = (await first.identity.issue(ada, anywhere)).split(';');
  const silent = await openSocket(second.url, { cookie });
  const feed = await fetch(`${second.url}/api/approvals/events`, { headers: { cookie } });
  await first.identity.clear(new Request(anywhere, { headers: { cookie } }));
  expect([await first.statusOf({ cookie }), await second.statusOf({ cookie })]).toEqual([401, 401]);
  clock.advance(sessionCheckMs);
  expect(await silent.closed).toBe(4401);
  await feed.text();

  // Rejected: the cookie says who it is. It was removed from one browser, and is valid in any other.
  const signer = createSigner(secret, 'session-cookie');
  const said = signer.sign(Buffer.from(JSON.stringify(ada)).toString('base64url'));
  const bySignature: Authorize = (request) => {
    const text = signer.open(request.headers.get('cookie')?.replace('countersign=', '') ?? '');
    return text === undefined ? null : JSON.parse(Buffer.from(text, 'base64url').toString());
  };
  const believing = await served({ authorize: bySignature });
  expect(await believing.statusOf({ cookie: `countersign=${said}` })).toBe(200);
});

clause('0012.9', async () => {
  const clock = fakeClock();
  const store = registry();
  let isAway = false;
  let refused = 0;
  const sessions: SessionStore = {
    ...store,
    read: async (id) => {
      if (!isAway) return store.read(id);
      refused += 1;
      throw new Error('The database is away.');
    },
  };
  const { authorize, issue } = createCookieIdentity({ secret, sessions });
  const logger = { warn: () => {}, error: () => {} };
  const { chat, send, url, flow } = await served({ authorize, clock, sessionCheckMs: 3_000, logger });
  const [cookie = ''] = (await issue(ada, new Request('http://127.0.0.1/'))).split(';');
  const approvalId = questionIn(await chat().say('Pay Alice.'));
  const open = await openSocket(url, { cookie });
  isAway = true;
  expect((await send('POST', `/api/approvals/${approvalId}`, { cookie }, { approved: true })).status).toBe(
    503,
  );
  const refusal = await open.ask('meanwhile');
  expect(JSON.parse(refusal.errorText ?? '')).toMatchObject({ error: { code: 'unavailable' } });
  const before = refused;
  clock.advance(3_000);
  await expect.poll(() => refused).toBeGreaterThan(before);
  isAway = false;
  expect(await open.ask('later')).toMatchObject({ type: 'no-active' });
  expect((await flow.chats.read({ chatId: parseChatId('chat'), principal: ada })).open).toBe(approvalId);
});

const key = 'the-key-of-bens-program';
const byKey = { authorization: `Bearer ${key}` };
const ben: Principal = { id: 'user:ben', name: 'Ben' };

clause('0012.11', async () => {
  const cookies = createCookieIdentity({ secret, sessions: registry(), localUser: null });
  const [cookie = ''] = (await cookies.issue(ben, new Request('http://127.0.0.1/'))).split(';');
  const servedTo = (bearer: Authorize) =>
    served({ authorize: async (request) => (await bearer(request)) ?? cookies.authorize(request) }, asking, {
      mayAnswer: notTheAsker,
    });
  /** Asks with a key, and approves with a session. */
  const approveOwn = async ({ send }: Awaited<ReturnType<typeof served>>) => {
    const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay Alice.' }] };
    await send('POST', '/api/chat', byKey, { id: 'chat', message });
    const { open } = JSON.parse((await send('GET', '/api/chat/chat', byKey)).text);
    return (await send('POST', `/api/approvals/${open}`, { cookie }, { approved: true })).status;
  };
  const right = await servedTo(createBearerIdentity(`ben:${key}`));
  expect(await approveOwn(right)).toBe(403);
  expect(await right.statusOf({ authorization: 'Bearer not-one-of-the-keys' })).toBe(401);
  expect(await right.statusOf({ authorization: 'Bearer not-one-of-the-keys', cookie })).toBe(401);
  const withoutKeys = await servedTo(createBearerIdentity(''));
  expect(await withoutKeys.statusOf({ authorization: 'Bearer not-one-of-the-keys', cookie })).toBe(200);

  // Rejected: the key is a separate principal.
  const byItself: Authorize = (request) =>
    request.headers.get('authorization') === byKey.authorization ? { id: 'key:ben', name: 'ben' } : null;
  const twofold = await servedTo(byItself);
  expect(await approveOwn(twofold)).toBe(200);
});

clause('0012.12', async () => {
  const before: Principal = { id: 'key:ben', name: 'ben' };
  const settings = { mayAnswer: notTheAsker, auditKey: 'an audit key for this test', sweepMs: 1e9 };
  const old = await served({ authorize: () => before }, asking, settings);
  const question = questionIn(await old.chat('chat', before).say('Pay Alice.'));
  const { store } = old;
  const chatId = parseChatId('chat');
  const record = await old.flow.audit.read({ chatId, principal: before });

  const formerIds = { 'key:ben': 'user:ben' };
  const now = await served({ authorize: () => ben }, asking, { ...settings, store, formerIds });
  await now.flow.recover();
  await now.flow.recover();
  expect(JSON.parse((await now.send('GET', '/api/chat')).text).chats).toMatchObject([{ id: 'chat' }]);
  expect((await now.send('POST', `/api/approvals/${question}`, {}, { approved: true })).status).toBe(403);
  expect(await now.flow.audit.read({ chatId, principal: ben })).toEqual(record);

  // Rejected: only the rows have the new id, and the log is read unchanged.
  const rowsAlone = await served({ authorize: () => ben }, asking, { ...settings, store });
  expect((await rowsAlone.send('POST', `/api/approvals/${question}`, {}, { approved: true })).status).toBe(
    200,
  );
});

clause('0012.17', async () => {
  const limits = { feeds: 2, sockets: 2, requests: 2 };
  const limited = await served(
    {
      authorize: byUser,
      rateLimit: createRateLimit({ perMinute: 0 }),
      concurrencyLimit: createConcurrencyLimit(limits),
    },
    neverEnding,
  );
  const feed = (url: string, user: string) =>
    openStream(`${url}/api/approvals/events`, { headers: { 'x-test-user': user } });
  const message = (url: string, user: string, id: string) =>
    openStream(`${url}/api/chat`, {
      method: 'POST',
      headers: { ...json, 'x-test-user': user },
      body: JSON.stringify({
        id,
        trigger: 'submit-message',
        message: { id: `u-${id}`, role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
      }),
    });
  const { url, send } = limited;
  const opened = [await feed(url, 'ada'), await feed(url, 'ada')];
  const running = [await message(url, 'ada', 'one'), await message(url, 'ada', 'two')];
  const sockets = [
    await openSocket(url, { 'x-test-user': 'ada' }),
    await openSocket(url, { 'x-test-user': 'ada' }),
  ];
  expect([...opened, ...running].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(sockets.map(({ status }) => status)).toEqual([101, 101]);

  for (const refused of [await feed(url, 'ada'), await message(url, 'ada', 'three')])
    expect(refused).toMatchObject({ status: 429, retryAfter: '1' });
  expect((await openSocket(url, { 'x-test-user': 'ada' })).status).toBe(429);
  expect((await feed(url, 'eve')).status).toBe(200);
  expect((await message(url, 'eve', 'of-eve')).status).toBe(200);
  expect((await openSocket(url, { 'x-test-user': 'eve' })).status).toBe(101);

  const stop = await send('DELETE', '/api/chat/one/run', { 'x-test-user': 'ada' }, {});
  expect(stop.status).toBe(204);
  await running[0]?.ended;
  expect((await message(url, 'ada', 'four')).status).toBe(200);

  // Rejected: only the rate limit, which does not count what is still open.
  const rated = createRateLimit({ perMinute: 1_000 });
  const many = await served({
    authorize: byUser,
    rateLimit: rated,
    concurrencyLimit: { acquire: () => () => {} },
  });
  for (let count = 0; count < 10; count += 1) expect((await feed(many.url, 'ada')).status).toBe(200);
});

/** A model that produces one word and never ends. */
const neverEnding: ScriptedStep[] = Array.from({ length: 9 }, () => [
  { text: 'Word ' },
  { wait: new Promise<void>(() => {}) },
]);

const byUser: Authorize = (request) => (request.headers.get('x-test-user') === 'eve' ? eve : ada);

/** A response that stays open until the end of the test. */
async function openStream(url: string, init: RequestInit) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const response = await fetch(url, { ...init, signal: left.signal });
  const ended = response.text().catch(() => '');
  return { status: response.status, retryAfter: response.headers.get('retry-after'), ended };
}
