import {
  type Clock,
  CountersignError,
  isPrincipal,
  type Principal,
  parseSessionId,
  type Session,
  type SessionStore,
} from '../../protocol/index.ts';
import { checkSettings, duration, port, type SettingCheck, secret, unfit } from '../../protocol/settings.ts';
import { runtime } from '../../runtime/runtime.ts';
import { hostNameOf, hostOf, loopbackHosts } from '../guard.ts';
import type { Authorize } from './authorize.ts';
import { createSigner } from './derive-key.ts';
import { createPeerStamp, type StampableRequest } from './peer-stamp.ts';
import { formatSessionCookie, parseSessionCookie, sessionHasEnded } from './session-cookie.ts';
import { isSessionEnd } from './session-watch.ts';

/** The settings of `createCookieIdentity`. */
export type CookieIdentitySettings = {
  /** At least 16 random characters. A separate key is derived from it for each use. */
  readonly secret: string;
  /** The registry of sessions: `sessions` of the flow's `sqliteStore` or `postgresStore`. */
  readonly sessions: SessionStore;
  /** The lifetime of a session, in milliseconds. Default 7 days. */
  readonly maxAgeMs?: number;
  /** Default `countersign`. Except on loopback, the cookie is named `__Host-countersign`, which no other site can set. */
  readonly cookieName?: string;
  /**
   * Requests without a cookie act as this user if they come directly from this machine (see `stampPeer`).
   * Default `{ id: 'local', name: 'Local user' }`; `null`: they are refused. Set `null` behind a proxy on this
   * machine that adds no header and forwards a loopback Host over HTTP/1.1: its requests are indistinguishable
   * from local ones.
   */
  readonly localUser?: Principal | null;
  readonly clock?: Pick<Clock, 'now'>;
};

/** @see createCookieIdentity */
export type CookieIdentity = {
  readonly authorize: Authorize;
  /**
   * Starts a session in the registry, and ends the session that the request came with.
   *
   * The session stores the principal's `id`, `name`, `role`, `authenticationMethods` and `authenticatedAt`
   * (default: now).
   *
   * @returns the value of a `set-cookie` header that signs this principal in
   * @throws CountersignError `unavailable` if the registry cannot be reached
   */
  issue(principal: Principal, request: Request): Promise<string>;
  /**
   * Ends the request's session in the registry, on all instances. Its streams and sockets are closed within one
   * sweep.
   *
   * @returns the value of a `set-cookie` header that removes the cookie
   * @throws CountersignError `unavailable` if the registry cannot be reached; the session has not ended then
   */
  clear(request: Request): Promise<string>;
  /**
   * Records whether a node request comes from this machine. The server calls it first for every request and
   * upgrade; without it, no request acts as the local user.
   */
  stampPeer(request: StampableRequest): void;
  /** Whether a request comes directly from this machine, addressed to a loopback name. False without a stamp. */
  isLocal(request: Request): boolean;
};

/** The characters that a cookie name may contain (RFC 6265). */
const cookieName: SettingCheck = (value, path) => {
  const isName = typeof value === 'string' && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(value);
  if (!isName) unfit(path, "must be the name of a cookie: letters, digits and !#$%&'*+.^_`|~-");
};

const principal: SettingCheck = (value, path) => {
  if (value !== null && !isPrincipal(value))
    unfit(path, 'must be a principal with an id and a name, or null');
};

const checks = {
  secret,
  sessions: port('begin', 'read', 'list', 'saw', 'end'),
  maxAgeMs: duration(),
  cookieName,
  localUser: principal,
  clock: port('now'),
} satisfies Record<keyof CookieIdentitySettings, SettingCheck>;

/** The maximum delay of a session's `lastSeenAt`: most requests do not write. */
const seenEveryMs = 5 * 60 * 1_000;

const localUser: Principal = { id: 'local', name: 'Local user' };

/**
 * Identity by a signed cookie: httpOnly, SameSite=Strict, and Secure except on loopback. A request without a
 * cookie acts as the local user if its peer is loopback, it has no sign of a proxy, it is not HTTP/1.0, and its
 * Host is a loopback name; otherwise it is refused. A cookie that is forged, or whose session is unknown, ended
 * or expired, is refused with 401. Each request with a cookie does one lookup in the registry; while the
 * registry is unavailable, requests fail with 503.
 *
 * @throws CountersignError `invalid-settings`
 * @source H-Identity
 */
export function createCookieIdentity(settings: CookieIdentitySettings): CookieIdentity {
  checkSettings('createCookieIdentity', settings, checks, ['secret', 'sessions']);
  const { sessions } = settings;
  const maxAgeMs = settings.maxAgeMs ?? 7 * 24 * 60 * 60 * 1_000;
  const now = () => (settings.clock ?? Date).now();
  const local = settings.localUser === undefined ? localUser : settings.localUser;
  const signer = createSigner(settings.secret, 'session-cookie');
  const peer = createPeerStamp(settings.secret);
  const isLocal = (request: Request) => isLoopbackHost(request) && peer.isLocal(request);
  const nameFor = (request: Request) =>
    `${isLoopbackHost(request) ? '' : '__Host-'}${settings.cookieName ?? 'countersign'}`;

  /** `__Host-` cookies must be Secure, without a domain, and for all paths. */
  const setCookie = (request: Request, value: string, seconds: number) => {
    const secure = isLoopbackHost(request) ? '' : '; Secure';
    return `${nameFor(request)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  };

  async function sessionOf(cookie: string): Promise<Session> {
    const { id, until } = parseSessionCookie(cookie, signer);
    const at = now();
    const session = until > at ? await reach(sessions.read(id)) : undefined;
    if (!session || session.until <= at) throw sessionHasEnded();
    // `lastSeenAt` is only for display, so a request does not fail if it cannot be updated.
    if (at - session.lastSeenAt >= seenEveryMs) void sessions.saw(id, at).catch(() => {});
    return session;
  }

  async function endSessionOf(request: Request): Promise<void> {
    const cookie = readCookie(request, nameFor(request));
    if (cookie === undefined) return;
    const session = await sessionOf(cookie).catch((error: unknown) => {
      if (!isSessionEnd(error)) throw error;
    });
    if (session) await reach(sessions.end(session.id, session.principal.id));
  }

  return {
    async authorize(request) {
      const cookie = readCookie(request, nameFor(request));
      if (cookie === undefined) return local && isLocal(request) ? local : null;
      const { id, principal } = await sessionOf(cookie);
      return { ...principal, sessionId: id };
    },
    async issue(principal, request) {
      const createdAt = now();
      const id = parseSessionId(`ses_${runtime.toBase64url(crypto.getRandomValues(new Uint8Array(16)))}`);
      const until = createdAt + maxAgeMs;
      const signedIn = pick({ ...principal, authenticatedAt: principal.authenticatedAt ?? createdAt });
      const session = { id, principal: signedIn, createdAt, lastSeenAt: createdAt, until };
      await reach(sessions.begin(session, createdAt));
      await endSessionOf(request);
      return setCookie(request, formatSessionCookie(session, signer), Math.floor(maxAgeMs / 1_000));
    },
    async clear(request) {
      await endSessionOf(request);
      return setCookie(request, '', 0);
    },
    stampPeer: (request) => peer.stamp(request),
    isLocal,
  };
}

function isLoopbackHost(request: Request): boolean {
  return loopbackHosts.includes(hostNameOf(hostOf(request)));
}

function pick({ id, name, role, authenticatedAt, authenticationMethods }: Principal): Principal {
  return { id, name, role, authenticatedAt, authenticationMethods };
}

/** Awaits the registry. @throws CountersignError `unavailable` if it fails, so that the request is refused */
async function reach<Result>(registry: Promise<Result>): Promise<Result> {
  try {
    return await registry;
  } catch (cause) {
    const what = 'Sessions cannot be checked at the moment. Try again later.';
    throw new CountersignError('unavailable', what, {}, { cause, transient: true });
  }
}

function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return undefined;
}
