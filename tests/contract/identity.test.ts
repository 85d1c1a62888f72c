import type { IncomingHttpHeaders } from 'node:http';
import { sqliteStore } from 'countersign/store';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createRateLimit } from '../../lib/rights/rate-limit.ts';
import {
  type CookieIdentitySettings,
  createCookieIdentity,
} from '../../lib/server/identity/cookie-identity.ts';
import { createSigner } from '../../lib/server/identity/derive-key.ts';
import { createPeerStamp, peerHeader } from '../../lib/server/identity/peer-stamp.ts';
import { type Served, serve } from '../../lib/testing/server/serve.ts';
import { clockToSetBack } from '../support/clock-to-set-back.ts';

const secret = 'a secret of more than sixteen characters';
const ada = { id: 'user_ada', name: 'Ada', role: 'approver' };
const local = { id: 'local', name: 'Local user' };
const unauthenticated = expect.objectContaining({ code: 'unauthenticated' });

const clock = { time: 1_700_000_000_000, now: () => clock.time };
const registry = sqliteStore({ path: ':memory:' });
afterAll(() => registry.close());
const { sessions } = registry;
const identity = (settings: Partial<CookieIdentitySettings> = {}) =>
  createCookieIdentity({ secret, sessions, clock, ...settings });

/** A request as it reaches a handler: with the headers that the server and its framework left on it. */
function request(headers: Record<string, string>, host = '127.0.0.1:3000'): Request {
  return new Request('http://localhost/api/chat', { headers: { host, ...headers } });
}

function cookieOf(setCookie: string): string {
  return setCookie.split(';')[0] ?? '';
}

describe('the signed cookie [H-Identity]', () => {
  it.each([
    ['on loopback', '127.0.0.1:3000', 'countersign=', false],
    ['elsewhere', 'chat.example.com', '__Host-countersign=', true],
  ])('is httpOnly and SameSite=Strict, and Secure off loopback: %s', async (_where, host, name, isSecure) => {
    const setCookie = await identity().issue(ada, request({}, host));
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict/);
    expect(setCookie.startsWith(name)).toBe(true);
    expect(/; Secure$/.test(setCookie)).toBe(isSecure);
  });

  it('returns the principal, among other cookies', async () => {
    const { issue, authorize } = identity();
    const cookie = `theme=dark; ${cookieOf(await issue(ada, request({})))}; other=1`;
    expect(await authorize(request({ cookie }))).toEqual({
      ...ada,
      sessionId: expect.stringMatching(/^ses_[\w-]{22}$/),
      authenticatedAt: clock.time,
    });
  });

  it('expires at its end', async () => {
    const { issue, authorize } = identity({ maxAgeMs: 60_000 });
    const cookie = cookieOf(await issue(ada, request({})));
    clock.time += 59_999;
    expect(await authorize(request({ cookie }))).toMatchObject(ada);
    clock.time += 1;
    await expect(authorize(request({ cookie }))).rejects.toThrow(unauthenticated);
  });

  it.each<[string, (cookie: string) => string | Promise<string>]>([
    ['changed content', (cookie) => cookie.replace(/=.{4}/, '=AAAA')],
    ['a changed signature', (cookie) => cookie.replace(/.{6}$/, 'AAAAAA')],
    ['no signature', (cookie) => cookie.slice(0, cookie.lastIndexOf('.'))],
    ['an empty signature', (cookie) => cookie.slice(0, cookie.lastIndexOf('.') + 1)],
    ['nothing in it', () => 'countersign='],
    [
      'another secret',
      async () => cookieOf(await identity({ secret: 'another secret, long enough' }).issue(ada, request({}))),
    ],
    ['a key meant for another use', () => `countersign=${createSigner(secret, 'peer-stamp').sign('local')}`],
  ])('is refused with %s, even where the local user would be accepted', async (_what, forge) => {
    const { issue, authorize, stampPeer } = identity();
    const headers: IncomingHttpHeaders = { host: 'localhost' };
    stampPeer({ headers, httpVersion: '1.1', socket: { remoteAddress: '127.0.0.1' } });
    const cookie = await forge(cookieOf(await issue(ada, request({}))));
    const forged = request({ cookie, [peerHeader]: String(headers[peerHeader]) });
    await expect(authorize(forged)).rejects.toThrow(unauthenticated);
  });

  it('is cleared under the same name', async () => {
    expect(await identity().clear(request({}))).toMatch(/^countersign=; Path=\/; Max-Age=0;/);
  });

  it('is refused with a secret that could be guessed, at start-up', () => {
    expect(() => identity({ secret: 'short' })).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: { path: 'secret' } }),
    );
  });
});

describe('the local user [H-Identity]', () => {
  it.each<[string, string | undefined, IncomingHttpHeaders, string, object | null, string?]>([
    ['by HTTP/2', '127.0.0.1', {}, 'localhost:3000', local, '2.0'],
    ['by HTTP/1.0', '127.0.0.1', {}, 'localhost:3000', null, '1.0'],
    ['by HTTP/0.9', '127.0.0.1', {}, 'localhost:3000', null, '0.9'],
    ['of no version', '127.0.0.1', {}, 'localhost:3000', null, ''],
    ['from 127.0.0.1 to localhost', '127.0.0.1', {}, 'localhost:3000', local],
    ['from ::1 to [::1]', '::1', {}, '[::1]:3000', local],
    ['from ::ffff:127.0.0.1 to 127.0.0.1', '::ffff:127.0.0.1', {}, '127.0.0.1', local],
    ['from the network', '192.168.1.7', {}, 'localhost:3000', null],
    ['from an address that only begins like loopback', '127.0.0.1.evil', {}, 'localhost:3000', null],
    ['from nowhere', undefined, {}, 'localhost:3000', null],
    ['through a proxy (Forwarded)', '127.0.0.1', { forwarded: 'for=1.2.3.4' }, 'localhost:3000', null],
    [
      'through a proxy (X-Forwarded-For)',
      '127.0.0.1',
      { 'x-forwarded-for': '1.2.3.4' },
      'localhost:3000',
      null,
    ],
    [
      'through a proxy (X-Forwarded-Anything)',
      '127.0.0.1',
      { 'x-forwarded-anything': '' },
      'localhost:3000',
      null,
    ],
    ['to a name that was pointed at this machine', '127.0.0.1', {}, 'evil.example', null],
    ['to a name that only begins like ours', '127.0.0.1', {}, 'localhost.evil.example', null],
  ])('a request %s', async (_what, remoteAddress, sent, host, principal, httpVersion = '1.1') => {
    const { stampPeer, authorize } = identity();
    const headers: IncomingHttpHeaders = { host, ...sent };
    stampPeer({ headers, httpVersion, socket: { remoteAddress } });
    // What a framework behind the server adds to every request must not shut the local user out.
    const added = { 'x-forwarded-for': '127.0.0.1', [peerHeader]: String(headers[peerHeader]) };
    expect(await authorize(request(added, host))).toEqual(principal);
  });

  it('does not exist without a stamp, so a server that does not stamp has no local user', async () => {
    expect(await identity().authorize(request({}))).toBeNull();
  });

  it.each([
    ['plain text', 'local'],
    ['a stamp of another secret', createSigner('another secret, long enough', 'peer-stamp').sign('local')],
    ['a cookie’s signature', createSigner(secret, 'session-cookie').sign('local')],
  ])('is not recognized by a header that the client sends: %s', async (_what, value) => {
    expect(await identity().authorize(request({ [peerHeader]: value }))).toBeNull();
  });

  it('is recognized by the Host at the socket, no matter what a framework changes later', async () => {
    const { stampPeer, authorize } = identity();
    const headers: IncomingHttpHeaders = { host: 'chat.example.com' };
    stampPeer({ headers, httpVersion: '1.1', socket: { remoteAddress: '127.0.0.1' } });
    expect(await authorize(request({ [peerHeader]: String(headers[peerHeader]) }, 'localhost'))).toBeNull();
  });

  it('is stamped by overwriting what the client sent', () => {
    const right = createPeerStamp(secret);
    const headers: IncomingHttpHeaders = { [peerHeader]: createSigner(secret, 'peer-stamp').sign('local') };
    right.stamp({ headers, httpVersion: '1.1', socket: { remoteAddress: '192.168.1.7' } });
    expect(right.isLocal(request({ [peerHeader]: String(headers[peerHeader]) }))).toBe(false);
  });

  it('can be switched off', async () => {
    const { stampPeer, authorize } = identity({ localUser: null });
    const headers: IncomingHttpHeaders = { host: 'localhost' };
    stampPeer({ headers, httpVersion: '1.1', socket: { remoteAddress: '127.0.0.1' } });
    expect(await authorize(request({ [peerHeader]: String(headers[peerHeader]) }))).toBeNull();
  });
});

describe('identity over a real socket [H-Identity]', () => {
  let served: Served | undefined;
  afterEach(() => served?.close());

  it('recognizes its own machine, and a proxy in front of it', async () => {
    const { stampPeer, authorize } = identity();
    served = await serve({
      before: stampPeer,
      fetch: async (incoming) => Response.json(await authorize(incoming)),
    });
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${served?.url}/`, { headers })).json();
    expect(await ask({})).toEqual(local);
    expect(await ask({ 'x-forwarded-for': '10.0.0.1' })).toBeNull();
    expect(await ask({ forwarded: 'for=10.0.0.1', [peerHeader]: 'local' })).toBeNull();
  });
});

describe('the rate limit [H-Configuration]', () => {
  it('counts each principal separately, and refills evenly', () => {
    const limit = createRateLimit({ perMinute: 2, clock });
    const tooMany = expect.objectContaining({ code: 'rate-limited', fields: { retryAfterMs: 30_000 } });
    limit.take(ada);
    limit.take(ada);
    expect(() => limit.take(ada)).toThrow(tooMany);
    expect(() => limit.take(local)).not.toThrow();
    clock.time += 15_000;
    const soon = expect.objectContaining({ code: 'rate-limited', fields: { retryAfterMs: 15_000 } });
    expect(() => limit.take(ada)).toThrow(soon);
    clock.time += 15_000;
    expect(() => limit.take(ada)).not.toThrow();
    expect(() => limit.take(ada)).toThrow(tooMany);
  });

  it.each([
    ['measures with the monotonic clock', clockToSetBack()],
    ['counts on, without one,', { ...clockToSetBack(), monotonic: undefined }],
  ])('%s when the machine’s time is set back by an hour', (_how, { monotonic, ...watch }) => {
    const limit = createRateLimit({ perMinute: 2, clock: monotonic ? { ...watch, monotonic } : watch });
    limit.take(ada);
    limit.take(ada);
    watch.setBack();
    expect(() => limit.take(ada)).toThrow(expect.objectContaining({ fields: { retryAfterMs: 30_000 } }));
    watch.advance(30_000);
    expect(() => limit.take(ada)).not.toThrow();
  });

  it('is off at 0', () => {
    const limit = createRateLimit({ perMinute: 0, clock });
    expect(() => Array.from({ length: 1_000 }, () => limit.take(ada))).not.toThrow();
  });
});
