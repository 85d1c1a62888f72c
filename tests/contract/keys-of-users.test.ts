import { join } from 'node:path';
import { createApprovalFlow } from 'countersign';
import { deriveKey } from 'countersign/http/server';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { parseChatId } from '../../lib/protocol/index.ts';
import { appRoutes } from '../support/app-routes.ts';
import { countingTools, userMessage } from '../support/flow-fixture.ts';
import { handshake } from '../support/handshake.ts';
import { dataFolder, type ServedRoutes, serveAppRoutes } from '../support/serve-app-routes.ts';

// Keys and sessions of one person, over real HTTP and sockets, at the routes of the reference app.

const key = 'the-key-of-bens-program';
const byKey = { authorization: `Bearer ${key}` };
const unknownKey = { authorization: 'Bearer not-one-of-the-keys' };
/** More than one person may pay alone. */
const order = 'Pay Alice 5000';

type Headers = Readonly<Record<string, string>>;

/** Asks for a large payment as somebody. @returns the ids of the chat and of the question */
async function askAs({ send }: ServedRoutes, headers: Headers): Promise<{ chat: string; question: string }> {
  const chat = 'chat';
  const message = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: order }] };
  await send('POST', '/api/chat', headers, { id: chat, trigger: 'submit-message', message });
  const { open } = JSON.parse((await send('GET', `/api/chat/${chat}`, headers)).text);
  return { chat, question: open };
}

const approve = ({ send }: ServedRoutes, question: string, headers: Headers, more: object = {}) =>
  send('POST', `/api/approvals/${question}`, headers, { approved: true, ...more });

describe('a person with a key and a session is one person [ADR 0012]', () => {
  const keys = JSON.stringify([{ name: 'ben', key, role: 'manager' }]);

  it.each<[string, (cookie: string) => Headers, (cookie: string) => Headers]>([
    ['asks by key and answers by session', () => byKey, (cookie) => ({ cookie })],
    ['asks by session and answers by key', (cookie) => ({ cookie }), () => byKey],
  ])('who %s is refused by the four-eyes rule, manager or not', async (_how, asking, answering) => {
    const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: keys });
    const ben = await app.signIn({ name: 'Ben', role: 'manager' });
    const { question } = await askAs(app, asking(ben));
    expect((await approve(app, question, answering(ben))).status).toBe(403);
    expect((await approve(app, question, asking(ben))).status).toBe(403);
    expect((await app.send('GET', '/api/demo/payments', byKey)).text).toBe('{"payments":[]}');
    const ada = await app.signIn({ name: 'Ada', role: 'manager' });
    expect((await approve(app, question, { cookie: ada })).status).toBe(200);
  });

  it('who asks at /v1 with a plain key may not approve as a manager by session', async () => {
    const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: `ben:${key}` });
    const [ben, ada] = [
      await app.signIn({ name: 'Ben', role: 'manager' }),
      await app.signIn({ name: 'Ada', role: 'manager' }),
    ];
    expect((await app.send('POST', '/v1/responses', byKey, { input: order })).status).toBe(200);
    const { approvals } = JSON.parse((await app.send('GET', '/api/approvals', { cookie: ada })).text);
    const [{ id: question }] = approvals;
    expect((await approve(app, question, { cookie: ben })).status).toBe(403);
    expect((await approve(app, question, { cookie: ada })).status).toBe(200);
  });

  it('cannot approve arguments that they edited with their key, even if someone else asked', async () => {
    const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: keys });
    const { question } = await askAs(app, { cookie: await app.signIn({ name: 'Eve' }) });
    const edited = { input: { recipient: 'Ben', amount: 6_000, currency: 'USD' } };
    expect((await approve(app, question, byKey, edited)).status).toBe(403);
    expect((await approve(app, question, byKey)).status).toBe(200);
  });

  it('has one list of chats, and continues over a socket what they started with a key', async () => {
    const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: `BEN:${key}` });
    const { chat } = await askAs(app, byKey);
    const cookie = await app.signIn({ name: 'ben' });
    for (const headers of [byKey, { cookie }]) {
      const { chats } = JSON.parse((await app.send('GET', '/api/chat', headers)).text);
      expect(chats.map(({ id }: { id: string }) => id)).toEqual([chat]);
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/chat/socket`, { headers });
      const frame = Promise.withResolvers<string>();
      socket.on('open', () => socket.send(JSON.stringify({ type: 'resume', requestId: 'r', id: chat })));
      socket.on('message', (data) => frame.resolve(String(data)));
      socket.on('error', frame.reject);
      expect(JSON.parse(await frame.promise)).toMatchObject({ type: 'start', requestId: 'r' });
      socket.terminate();
    }
  });

  it('has no role without one in the configuration', async () => {
    const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: `Ada:${key}` });
    const { text } = await app.send('GET', '/api/session', byKey);
    expect(JSON.parse(text)).toEqual({ user: { id: 'user:ada', name: 'Ada' } });
    const { question } = await askAs(app, { cookie: await app.signIn({ name: 'Ben' }) });
    expect((await approve(app, question, byKey)).status).toBe(404);
  });
});

describe('unknown keys [H-Identity]', () => {
  const endpoints = async () =>
    (await appRoutes()).filter(({ path }) => !/^\/(openapi|asyncapi)\.json$|^\/(docs|answer)\//.test(path));
  const addressOf = (path: string) => path.replaceAll(/\[\w+\]/g, 'any');

  it('get 401 where keys are configured, at every endpoint and socket, on this machine as well', async () => {
    const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: `ben:${key}` });
    // Slack signs its requests, and is not configured here.
    const own = new Set(['POST /api/session', 'DELETE /api/session', 'POST /api/slack/interactions']);
    for (const { method, path } of await endpoints()) {
      // Probes are for everybody, and the pages of links, which are not configured here, identify people themselves.
      const isOpen = path.startsWith('/api/health/') || path.startsWith('/api/answer/');
      if (own.has(`${method} ${path}`) || isOpen) continue;
      const { status } = await app.send(
        method,
        addressOf(path),
        unknownKey,
        method === 'GET' ? undefined : {},
      );
      expect([method, path, status]).toEqual([method, path, 401]);
    }
    for (const path of ['/api/chat/socket', '/api/dialects/chat-socket']) {
      expect([path, await handshake(app.url, path, unknownKey)]).toEqual([path, 401]);
    }
  });

  it('are ignored where none is configured, because clients of the Responses API always send one', async () => {
    const app = await serveAppRoutes();
    const { status, text } = await app.send('POST', '/v1/responses', unknownKey, { input: 'Hello' });
    expect([status, JSON.parse(text).status]).toEqual([200, 'completed']);
    const { text: session } = await app.send('GET', '/api/session', unknownKey);
    expect(JSON.parse(session).user.id).toBe('local');
  });
});

describe('chats that a key started in an earlier version [ADR 0012]', () => {
  const secret = 'a secret that only the server knows';

  it('belong to the user after an update, once, with an unchanged record', async () => {
    const folder = await dataFolder();
    const auditKey = deriveKey(secret, 'audit');
    const store = sqliteStore({ path: join(folder, 'countersign.sqlite') });
    const model = scriptedModel([[{ call: 'pay', input: { to: 'Alice', amount: 30 } }]]);
    const old = createApprovalFlow({ store, model, auditKey, tools: countingTools().tools });
    const chatId = parseChatId('chat-of-a-key');
    const principal = { id: 'key:Ben', name: 'Ben' };
    const message = userMessage('u1', 'Pay Alice.');
    const stream = await old.chats.respond({
      chatId,
      principal,
      message,
      trigger: 'submit-message',
      via: 'test',
    });
    for await (const _event of stream.events);
    const before = JSON.parse(JSON.stringify(await old.audit.read({ chatId, principal })));
    await old.close();
    await store.close();

    for (const _start of ['first', 'second']) {
      const app = await serveAppRoutes({ COUNTERSIGN_DATA: folder, COUNTERSIGN_API_KEYS: `Ben:${key}` });
      const cookie = await app.signIn({ name: 'Ben' });
      for (const headers of [byKey, { cookie }]) {
        const { chats } = JSON.parse((await app.send('GET', '/api/chat', headers)).text);
        expect(chats.map(({ id }: { id: string }) => id)).toEqual([chatId]);
        const { text } = await app.send('GET', `/api/chat/${chatId}/audit`, headers);
        expect(JSON.parse(text)).toMatchObject({ entries: before.entries, head: before.head });
      }
      const eve = await app.signIn({ name: 'Eve' });
      expect((await app.send('GET', `/api/chat/${chatId}`, { cookie: eve })).status).toBe(404);
      await app.close();
    }
  });
});
