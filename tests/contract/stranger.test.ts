import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCookieIdentity } from 'countersign/http/server';
import { sqliteStore } from 'countersign/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { closeCountersign, countersign } from '../../app/_server/countersign.ts';
import { handleUpgrade } from '../../app/_server/edge.ts';
import { formatStreamId } from '../../lib/protocol/ids/stream-id.ts';
import { parseChatId, type RunId } from '../../lib/protocol/index.ts';
import { type Served, serve } from '../../lib/testing/server/serve.ts';
import { appRoutes, dispatch } from '../support/app-routes.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { sendRaw } from '../support/raw-request.ts';
import { bodies, type Stranger, statusesFor, strangers, submitTo } from './support/strangers.ts';
import { type Person, whatPluginsKeep } from './support/what-is-hers.ts';

// The app's own routes on a loopback port, as they are in app/api. Ada has a chat with an open question. Every
// stranger tries every endpoint on it; each time nothing of it may be told, and it must be as it was.

type Headers = Readonly<Record<string, string>>;

const order = 'Pay Zebulon 31 and Quentin 47';
/** What no stranger may read. (Refusals repeat the ids that a request names.) */
const belongsToAda = /Zebulon|Quentin|user:ada|"Ada"/;

const secret = 'a secret that only the server knows';
/** A registry that the server does not have. */
const elsewhere = sqliteStore({ path: ':memory:' });
const ada = { id: 'user:ada', name: 'Ada' };
const cookies = { ada: '', eve: '', forged: '', expired: '', ended: '' };
const ids = { chat: '', stream: '', approval: '', call: '', grant: '', session: '' };
const held = { cookies, ids, apiKey: 'the-key-of-another-program' };
const json = { 'content-type': 'application/json' };

/** All but the documentation, the probes and the pages of links, which are for everybody. */
const routes = (await appRoutes()).filter(
  ({ path }) => !/^\/(openapi|asyncapi)\.json$|^\/docs\/|^\/api\/(answer|health)\//.test(path),
);
const isUnsafe = (method: string) => method !== 'GET';
const attempts = strangers.flatMap((stranger, index) =>
  routes
    .filter(({ method }) => !stranger.unsafeOnly || isUnsafe(method))
    .map(({ method, path }, place) => ({
      isInMain: place % 3 === index % 3,
      who: stranger.who,
      endpoint: `${method} ${path}`,
      method,
      path,
      stranger,
    })),
);

let folder: string;
let server: Served;
let unstamped: Served;

const send = (method: string, path: string, headers: Headers, body?: unknown) =>
  sendRaw({ method, url: `${server.url}${path}`, headers: { ...json, ...headers }, body });
const addressOf = (path: string) =>
  path
    .replace(/tool-events$/, `tool-events?conversationId=${ids.chat}`)
    .replace('[chatId]', ids.chat)
    .replace('[streamId]', ids.stream)
    .replace('[responseId]', `resp_${ids.stream}`)
    .replace('[approvalId]', ids.approval)
    .replace('[toolCallId]', ids.call)
    .replace('[grantId]', ids.grant)
    .replace('[sessionId]', ids.session)
    .replaceAll(/\[\w+\]/g, ids.chat);

/** Sends a message, and reads the response. */
function ask(cookie: string, chat: string, text: string) {
  const message = { id: `${chat}-1`, role: 'user', parts: [{ type: 'text', text }] };
  return send('POST', '/api/chat', { cookie }, { id: chat, trigger: 'submit-message', message });
}

async function signIn(name: string): Promise<string> {
  const { headers } = await send('POST', '/api/session', {}, { name });
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Everything that Ada can see of what is hers. */
async function whatAdaSees(): Promise<unknown[]> {
  const paths = [
    '/api/chat',
    `/api/chat/${ids.chat}`,
    `/api/chat/${ids.chat}/audit`,
    '/api/approvals?state=open',
    '/api/remembered',
    '/api/sessions',
  ];
  const seen = [...paths, '/api/demo/payments'].map(async (path) => {
    const { status, text } = await send('GET', path, { cookie: cookies.ada });
    return { path, status, text };
  });
  return Promise.all(seen);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-stranger-'));
  vi.stubEnv('COUNTERSIGN_DATA', folder);
  vi.stubEnv('COUNTERSIGN_SECRET', secret);
  vi.stubEnv('COUNTERSIGN_DEMO_DELAY_MS', '0');
  vi.stubEnv('COUNTERSIGN_API_KEYS', `robot:${held.apiKey}`);
  for (const name of ['HOST', 'DATABASE_URL', 'OPENAI_API_KEY', 'COUNTERSIGN_DEMO_LOGIN'])
    vi.stubEnv(name, '');
  const { identity, flow } = await countersign();
  const both = { fetch: dispatch(routes), upgrade: handleUpgrade };
  server = await serve({ ...both, before: identity.stampPeer });
  unstamped = await serve(both);

  cookies.ada = await signIn(ada.name);
  const issuedBy = async (settings: Omit<Parameters<typeof createCookieIdentity>[0], 'sessions'>) => {
    const identity = createCookieIdentity({ ...settings, sessions: elsewhere.sessions });
    return (await identity.issue(ada, new Request('http://127.0.0.1/'))).split(';')[0] ?? '';
  };
  cookies.forged = await issuedBy({ secret: 'a secret that somebody made up' });
  cookies.expired = await issuedBy({ secret, maxAgeMs: 60_000, clock: { now: () => Date.now() - 60_001 } });
  cookies.ended = await signIn(ada.name);
  await send('DELETE', '/api/session', { cookie: cookies.ended });

  ids.chat = 'chat-of-ada';
  await ask(cookies.ada, ids.chat, order);
  const [event] = await flow.chats.timeline({ chatId: parseChatId(ids.chat), principal: ada });
  const { text } = await send('GET', '/api/approvals', { cookie: cookies.ada });
  const [question] = JSON.parse(text).approvals;
  ids.stream = formatStreamId(parseChatId(ids.chat), event?.runId as RunId);
  ids.approval = question.id;
  ids.call = question.toolCallId;
  const cookie = cookies.ada;
  const person: Person = {
    send: (method, path, body) => send(method, path, { cookie }, body),
    ask: (chat, text) => ask(cookie, chat, text),
  };
  for (const make of whatPluginsKeep) Object.assign(ids, await make(person));
  ids.session = JSON.parse((await send('GET', '/api/sessions', { cookie: cookies.ada })).text).sessions[0].id;
}, 60_000);

// Some of what strangers try ends their own session.
beforeEach(async () => {
  cookies.eve = await signIn('Eve');
});

afterAll(async () => {
  await elsewhere.close();
  await Promise.all([server?.close(), unstamped?.close()]);
  await closeCountersign();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe('a stranger can read and change nothing [H-Identity]', () => {
  it.each(rowsOfThisRun(attempts, ({ isInMain }) => isInMain))(
    '$who: $endpoint',
    async ({ endpoint, method, path, stranger }) => {
      const before = await whatAdaSees();
      expect(JSON.stringify(before)).toMatch(belongsToAda);
      const { url } = stranger.isUnstamped ? unstamped : server;
      for (const body of bodies[endpoint]?.(held) ?? [isUnsafe(method) ? {} : undefined]) {
        const headers = { ...json, ...stranger.headers(held) };
        const { status, text, ...answer } = await sendRaw({
          method,
          url: `${url}${addressOf(path)}`,
          headers,
          body,
        });
        expect(text).not.toMatch(belongsToAda);
        expect([...answer.headers.values()].join()).not.toMatch(belongsToAda);
        expect(statusesFor(stranger, endpoint)).toContain(status);
      }
      expect(await whatAdaSees()).toEqual(before);
    },
  );

  it('a feed from the beginning shows another session only its own questions', async () => {
    const cookie = cookies.eve;
    const text = 'Pay Yolanda 5';
    await ask(cookie, 'chat-of-eve', text);
    const feed = await sendRaw(
      { method: 'GET', url: `${server.url}/api/approvals/events`, headers: { cookie, 'last-event-id': '0' } },
      (read) => read.includes('Yolanda'),
    );
    expect(feed.text.match(/^event: .*/gm)).toEqual(['event: opened']);
    expect(feed.text).not.toMatch(belongsToAda);
  });
});

const chatPath = '/api/chat/socket';
const sockets = [chatPath, '/api/dialects/chat-socket'];

describe('a stranger at a socket [H3, D26, H-Identity]', () => {
  const connect = (stranger: Stranger, path: string) => {
    const { url } = stranger.isUnstamped ? unstamped : server;
    return new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: stranger.headers(held) });
  };
  const knocks = sockets.flatMap((path) =>
    strangers
      .filter(({ unsafeOnly }) => !unsafeOnly)
      .map((stranger) => ({ path, stranger, who: stranger.who, isLetIn: stranger.status === 404 })),
  );

  /** What is said of each frame, one after the other. */
  async function askEach(socket: WebSocket, frames: readonly object[]): Promise<string[]> {
    await once(socket, 'open');
    const told: string[] = [];
    for (const frame of frames) {
      socket.send(JSON.stringify(frame));
      told.push(String((await once(socket, 'message'))[0]));
    }
    socket.terminate();
    return told;
  }

  it.each(knocks.filter(({ isLetIn }) => !isLetIn))(
    '$who is refused at $path',
    async ({ path, stranger }) => {
      const socket = connect(stranger, path);
      socket.on('error', () => {});
      const [, response] = await once(socket, 'unexpected-response');
      socket.terminate();
      expect(response.statusCode).toBe(stranger.status);
    },
  );

  it.each(knocks.filter(({ isLetIn }) => isLetIn))(
    '$who finds no chat of Ada’s on $path',
    async ({ path, stranger }) => {
      const before = await whatAdaSees();
      const sent =
        bodies['POST /api/chat']?.(held).map((body) => ({ ...submitTo(held), body, ...body })) ?? [];
      const frames = sent.map((frame, index) => ({
        ...frame,
        type: 'send',
        requestId: `r${index}`,
        messages: [],
      }));
      const ofDialect = [
        { type: 'message', conversation_id: ids.chat, content: 'Pay Mallory 1000' },
        { type: 'cancel', conversation_id: ids.chat },
        { type: 'tool_approval_response', approval_id: ids.approval, approved: true },
      ];
      const told = await askEach(connect(stranger, path), path === chatPath ? frames : ofDialect);
      expect(told.map((frame) => JSON.parse(frame).type)).toEqual(['error', 'error', 'error']);
      expect(told.join()).not.toMatch(belongsToAda);
      expect(await whatAdaSees()).toEqual(before);
    },
  );

  it('another session that asks to resume finds nothing', async () => {
    const eve = strangers[0];
    const resume = { type: 'resume', requestId: 'r1', id: ids.chat };
    const told = eve && (await askEach(connect(eve, chatPath), [resume]));
    expect(told?.map((frame) => JSON.parse(frame))).toEqual([{ type: 'no-active', requestId: 'r1' }]);
  });
});

describe('a browser whose session has ended [H-Identity]', () => {
  it('is refused once, loses its cookie, and then acts as the local user again', async () => {
    const { status, headers } = await send('GET', '/api/session', { cookie: cookies.ended });
    expect([status, headers.get('set-cookie')]).toEqual([
      401,
      expect.stringMatching(/^countersign=; .*Max-Age=0/),
    ]);
    expect(JSON.parse((await send('GET', '/api/session', {})).text)).toMatchObject({ user: { id: 'local' } });
  });
});

describe('the owner [H-Identity]', () => {
  it.each(routes.filter(({ method, path }) => method === 'GET' && /chat|approvals/.test(path)))(
    'reads $path',
    async ({ path }) => {
      const { status, text } = await send('GET', addressOf(path), { cookie: cookies.ada });
      // The call was not executed yet, so there is no result of it.
      expect(status).toBe(path.includes('tool-results') ? 404 : 200);
      if (!path.endsWith('/events') && status === 200) expect(text).toMatch(belongsToAda);
    },
  );

  it('may rename, answer, stop and erase with the requests that strangers were refused [H4, H5, H10, S16]', async () => {
    const cookie = cookies.ada;
    const answer = { approved: true };
    const statuses = [
      await send('PATCH', `/api/chat/${ids.chat}`, { cookie }, { title: 'Mine' }),
      await send('POST', `/api/approvals/${ids.approval}`, { cookie }, answer),
      await send('DELETE', `/api/chat/${ids.chat}/run`, { cookie }),
      await send('DELETE', `/api/chat/${ids.chat}`, { cookie }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 204, 204]);
    const { text } = await send('GET', '/api/demo/payments', { cookie });
    expect(JSON.parse(text).payments).toMatchObject([{ recipient: 'Zebulon', amount: 31 }]);
  });
});
