import { createCookieIdentity, createSessionHandlers } from 'countersign/http/server';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SessionStore } from '../../lib/protocol/index.ts';
import { createSigner } from '../../lib/server/identity/derive-key.ts';
import { createPeerStamp } from '../../lib/server/identity/peer-stamp.ts';
import { sessionsSchema } from '../../lib/server/routes/sessions.ts';
import { serve } from '../../lib/testing/server/serve.ts';

const secret = 'a secret of more than sixteen characters';
const ada = { id: 'user:ada', name: 'Ada', role: 'manager' };
const eve = { id: 'user:eve', name: 'Eve' };
const minute = 60_000;
const unauthenticated = expect.objectContaining({ code: 'unauthenticated' });
const unavailable = expect.objectContaining({ code: 'unavailable' });
const cookieIn = (setCookie: string) => setCookie.split(';')[0] ?? '';
const requestWith = (cookie?: string, more: Record<string, string> = {}) =>
  new Request('http://127.0.0.1/', { headers: { ...(cookie && { cookie }), ...more } });

/** Cookie identities over one registry, whose calls are counted and can fail. */
function registry() {
  const store = sqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const time = { now: Date.UTC(2030, 0, 1), isAway: false };
  const calls: string[] = [];
  const counted =
    (name: keyof SessionStore) =>
    async (...given: never[]) => {
      calls.push(name);
      if (time.isAway) throw new Error('The database is away.');
      return (store.sessions[name] as (...all: never[]) => Promise<never>)(...given);
    };
  const sessions: SessionStore = {
    begin: counted('begin'),
    read: counted('read'),
    list: counted('list'),
    saw: counted('saw'),
    end: counted('end'),
  };
  const clock = { now: () => time.now };
  const identity = createCookieIdentity({ secret, sessions, clock });
  const signIn = async (principal: Parameters<typeof identity.issue>[0], cookie?: string) =>
    cookieIn(await identity.issue(principal, requestWith(cookie)));
  return { store, sessions, time, clock, calls, identity, signIn };
}

describe('a session of the registry', () => {
  it('is refused after a sign-out, for its browser’s cookie and for any copy of it', async () => {
    const { identity, signIn } = registry();
    const cookie = await signIn(ada);
    expect(await identity.authorize(requestWith(cookie))).toMatchObject(ada);
    expect(await identity.clear(requestWith(cookie))).toMatch(/^countersign=; .*Max-Age=0/);
    await expect(identity.authorize(requestWith(cookie))).rejects.toThrow(unauthenticated);
  });

  it('is refused if the registry does not know it, even with a signed cookie', async () => {
    const { identity } = registry();
    const cookie = await registry().signIn(ada);
    await expect(identity.authorize(requestWith(cookie))).rejects.toThrow(unauthenticated);
  });

  it('ends when the same browser signs in again, but not for other browsers', async () => {
    const { identity, signIn } = registry();
    const [first, other] = [await signIn(ada), await signIn(ada)];
    const second = await signIn(ada, first);
    await expect(identity.authorize(requestWith(first))).rejects.toThrow(unauthenticated);
    for (const cookie of [second, other]) {
      expect(await identity.authorize(requestWith(cookie))).toMatchObject(ada);
    }
  });

  it('ends at its time, whatever the registry still contains', async () => {
    const { identity, signIn, time, store } = registry();
    const cookie = await signIn(ada);
    const given = await identity.authorize(requestWith(cookie));
    time.now += 7 * 24 * 60 * minute;
    expect(await store.sessions.read(given?.sessionId as never)).toBeDefined();
    await expect(identity.authorize(requestWith(cookie))).rejects.toThrow(unauthenticated);
  });

  it('is required: a cookie of a version without a registry is refused', async () => {
    const { identity, time } = registry();
    const session = JSON.stringify({ ...ada, until: time.now + minute });
    const old = createSigner(secret, 'session-cookie').sign(Buffer.from(session).toString('base64url'));
    await expect(identity.authorize(requestWith(`countersign=${old}`))).rejects.toThrow(unauthenticated);
  });

  it('says when the person signed in or proved more, and the cookie does not contain who they are', async () => {
    const { identity, signIn, time } = registry();
    const cookie = await signIn(ada);
    expect(Buffer.from(cookie.split('=')[1] ?? '', 'base64url').toString()).not.toContain('ada');
    expect(await identity.authorize(requestWith(cookie))).toMatchObject({ authenticatedAt: time.now });
    const proof = { authenticatedAt: time.now - minute, authenticationMethods: ['pwd', 'otp'] };
    const proved = await signIn({ ...ada, ...proof });
    expect(await identity.authorize(requestWith(proved))).toMatchObject(proof);
  });
});

describe('the cost of a session', () => {
  it('is one lookup for each request with a cookie, and at most one write every five minutes', async () => {
    const { identity, signIn, calls, time, store } = registry();
    const cookie = await signIn(ada);
    calls.length = 0;
    const principal = await identity.authorize(requestWith(cookie));
    await identity.authorize(requestWith(cookie));
    expect(calls).toEqual(['read', 'read']);
    time.now += 5 * minute;
    await identity.authorize(requestWith(cookie));
    await identity.authorize(requestWith(cookie));
    expect(calls.filter((name) => name === 'saw')).toHaveLength(1);
    expect(await store.sessions.read(principal?.sessionId as never)).toMatchObject({ lastSeenAt: time.now });
  });

  it('is nothing without a cookie, with a forged one, or with an expired one', async () => {
    const { identity, signIn, calls, time } = registry();
    const headers: Record<string, string> = { host: 'localhost' };
    createPeerStamp(secret).stamp({ headers, httpVersion: '1.1', socket: { remoteAddress: '127.0.0.1' } });
    const cookie = await signIn(ada);
    calls.length = 0;
    expect(await identity.authorize(requestWith(undefined, headers))).toMatchObject({ id: 'local' });
    expect(await identity.authorize(requestWith())).toBeNull();
    const forged = requestWith(cookie.replace(/.{6}$/, 'AAAAAA'));
    await expect(identity.authorize(forged)).rejects.toThrow(unauthenticated);
    time.now += 8 * 24 * 60 * minute;
    await expect(identity.authorize(requestWith(cookie))).rejects.toThrow(unauthenticated);
    expect(calls).toEqual([]);
  });
});

describe('a registry that cannot be read', () => {
  it('refuses every session, every sign-in and every sign-out', async () => {
    const { identity, signIn, time } = registry();
    const cookie = await signIn(ada);
    time.isAway = true;
    await expect(identity.authorize(requestWith(cookie))).rejects.toThrow(unavailable);
    await expect(identity.issue(ada, requestWith())).rejects.toThrow(unavailable);
    await expect(identity.clear(requestWith(cookie))).rejects.toThrow(unavailable);
    time.isAway = false;
    expect(await identity.authorize(requestWith(cookie))).toMatchObject(ada);
  });

  it('is 503 over HTTP, without details, and is logged', async () => {
    const { sessions, clock, identity, signIn, time } = registry();
    const logger = { warn: vi.fn(), error: vi.fn() };
    const settings = {
      authorize: identity.authorize,
      sessions,
      logger,
      clock: { ...clock, after: () => () => {} },
    };
    const handlers = createSessionHandlers(settings);
    const { url, close } = await serve({ fetch: handlers.sessions.GET });
    onTestFinished(close);
    const headers = { cookie: await signIn(ada) };
    time.isAway = true;
    const response = await fetch(`${url}/api/sessions`, { headers });
    expect(response.status).toBe(503);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'unavailable' } });
    expect(body).not.toContain('database');
    expect(JSON.stringify(logger.error.mock.calls)).toContain('The database is away.');
  });
});

describe('GET /api/sessions and DELETE /api/sessions/{id}', () => {
  async function served() {
    const world = registry();
    const { sessions, clock, identity } = world;
    const settings = { authorize: identity.authorize, sessions, clock: { ...clock, after: () => () => {} } };
    const handlers = createSessionHandlers(settings);
    const { url, close } = await serve({
      fetch: (request) =>
        request.method === 'GET' ? handlers.sessions.GET(request) : handlers.session.DELETE(request),
    });
    onTestFinished(close);
    const send = async (method: string, path: string, cookie: string) => {
      const headers = { cookie, 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/sessions${path}`, { method, headers });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    };
    return { ...world, send };
  }

  it('lists the caller’s sessions, newest first, and marks the current one [S15]', async () => {
    const { send, signIn, time } = await served();
    const began = time.now;
    const first = await signIn(ada);
    time.now += minute;
    const second = await signIn(ada);
    await signIn(eve);
    const { body } = await send('GET', '', first);
    const iso = (at: number) => new Date(at).toISOString();
    expect(body.sessions).toMatchObject([
      { createdAt: iso(began + minute), lastSeenAt: iso(began + minute), current: false },
      { createdAt: iso(began), until: iso(began + 7 * 24 * 60 * minute), current: true },
    ]);
    expect(Object.keys(body.sessions[0])).toEqual(['id', 'createdAt', 'lastSeenAt', 'until', 'current']);
    expect(sessionsSchema.parse(body)).toEqual(body);
    const page = await send('GET', '?limit=1', second);
    expect(page.body.sessions).toMatchObject([{ current: true }]);
    const rest = await send('GET', `?limit=1&cursor=${page.body.nextCursor}`, second);
    expect(rest.body).toMatchObject({ sessions: [{ createdAt: iso(began) }] });
  });

  it('ends the caller’s sessions, and no other person’s [S15]', async () => {
    const { send, signIn } = await served();
    const [here, there, eves] = [await signIn(ada), await signIn(ada), await signIn(eve)];
    const { body } = await send('GET', '', there);
    const own = body.sessions.find(({ current }: { current: boolean }) => current);
    expect(await send('DELETE', `/${own.id}`, eves)).toMatchObject({ status: 404 });
    expect(await send('DELETE', `/${own.id}`, here)).toMatchObject({ status: 204 });
    expect(await send('DELETE', `/${own.id}`, here)).toMatchObject({ status: 404 });
    expect(await send('GET', '', there)).toMatchObject({ status: 401 });
    expect((await send('GET', '', here)).body.sessions).toHaveLength(1);
    expect(await send('DELETE', '/not%20an%20id', here)).toMatchObject({ status: 400 });
  });
});
