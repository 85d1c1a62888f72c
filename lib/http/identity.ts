import { type Clock, CountersignError, isPrincipal, isRecord, type Principal } from '../vocabulary/index.ts';
import { checkSettings, duration, port, type SettingCheck, secret, unfit } from '../vocabulary/settings.ts';
import { createSigner } from './derive-key.ts';
import { hostNameOf, hostOf, loopbackHosts } from './guard.ts';
import { createPeerStamp, type StampableRequest } from './peer-stamp.ts';

/**
 * Says who makes a request. `null`: nobody we know, which is refused with 401. There is no default.
 *
 * @throws CountersignError `unauthenticated` for credentials that are wrong rather than missing
 * @source contract H, "Identity"
 */
export type Authorize = (request: Request) => Principal | null | Promise<Principal | null>;

/** What `createCookieIdentity` takes. */
export type CookieIdentitySettings = {
  /** At least 16 characters of randomness. Keys for each use are derived from it. */
  readonly secret: string;
  /** How long a session lasts. Default 7 days, in milliseconds. */
  readonly maxAgeMs?: number;
  /** Default `countersign`. Off loopback it is sent as `__Host-countersign`, which no other site can set. */
  readonly cookieName?: string;
  /**
   * Lets requests without a cookie act as this user if they come straight from this machine: see `stampPeer`.
   * Default `{ id: 'local', name: 'local' }`; `null`: nobody. Behind a proxy on this machine that leaves no header and
   * passes on a loopback Host over HTTP/1.1, set `null`: its requests look like those of this machine.
   */
  readonly localUser?: Principal | null;
  readonly clock?: Pick<Clock, 'now'>;
};

/** @see createCookieIdentity */
export type CookieIdentity = {
  readonly authorize: Authorize;
  /** The value of a `set-cookie` header that signs this principal in. */
  issue(principal: Principal, request: Request): string;
  /** The value of a `set-cookie` header that signs out. */
  clear(request: Request): string;
  /**
   * Marks a node request as coming from this machine, or not. The server calls it for every request and upgrade
   * before anything else; without it no request acts as the local user.
   */
  stampPeer(request: StampableRequest): void;
  /** Whether a request comes straight from this machine, under one of its own names. False without a stamp. */
  isLocal(request: Request): boolean;
};

/** What the name of a cookie may hold (RFC 6265). */
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
  maxAgeMs: duration(),
  cookieName,
  localUser: principal,
  clock: port('now'),
} satisfies Record<keyof CookieIdentitySettings, SettingCheck>;

const localUser: Principal = { id: 'local', name: 'local' };

/**
 * Identity by a signed cookie: httpOnly, SameSite=Strict, Secure off loopback. A request without one acts as the
 * local user if its peer is loopback, it bears no sign of a proxy, it is not of HTTP/1.0, and its Host is a loopback name;
 * otherwise it is nobody.
 * A cookie that is forged or past its end is 401, never somebody else.
 *
 * @throws CountersignError `invalid-settings`
 * @source contract H, "Identity"
 */
export function createCookieIdentity(settings: CookieIdentitySettings): CookieIdentity {
  checkSettings('createCookieIdentity', settings, checks, ['secret']);
  const maxAgeMs = settings.maxAgeMs ?? 7 * 24 * 60 * 60 * 1_000;
  const now = () => (settings.clock ?? Date).now();
  const local = settings.localUser === undefined ? localUser : settings.localUser;
  const signer = createSigner(settings.secret, 'session-cookie');
  const peer = createPeerStamp(settings.secret);
  const isLocal = (request: Request) => isLoopbackHost(request) && peer.isLocal(request);
  const nameFor = (request: Request) =>
    `${isLoopbackHost(request) ? '' : '__Host-'}${settings.cookieName ?? 'countersign'}`;

  /** `__Host-` cookies must be Secure, for this host alone, and for all paths. */
  const setCookie = (request: Request, value: string, seconds: number) => {
    const secure = isLoopbackHost(request) ? '' : '; Secure';
    return `${nameFor(request)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  };

  return {
    authorize(request) {
      const cookie = readCookie(request, nameFor(request));
      if (cookie !== undefined) return parseSession(signer.open(cookie), now());
      return local && isLocal(request) ? local : null;
    },
    issue(principal, request) {
      const session = JSON.stringify({ ...pick(principal), until: now() + maxAgeMs });
      const value = signer.sign(Buffer.from(session).toString('base64url'));
      return setCookie(request, value, Math.floor(maxAgeMs / 1_000));
    },
    clear: (request) => setCookie(request, '', 0),
    stampPeer: (request) => peer.stamp(request),
    isLocal,
  };
}

function isLoopbackHost(request: Request): boolean {
  return loopbackHosts.includes(hostNameOf(hostOf(request)));
}

function pick({ id, name, role }: Principal): Principal {
  return { id, name, ...(role !== undefined && { role }) };
}

function parseSession(text: string | undefined, now: number): Principal {
  if (text === undefined) throw signInAgain('The session cookie is not one of ours.');
  const session: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (!isRecord(session) || typeof session.until !== 'number' || session.until <= now) {
    throw signInAgain('The session has ended.');
  }
  const { id, name, role } = session;
  if (typeof id !== 'string' || typeof name !== 'string') throw signInAgain('The session names nobody.');
  return { id, name, ...(typeof role === 'string' && { role }) };
}

function signInAgain(what: string): CountersignError {
  return new CountersignError('unauthenticated', `${what} Sign in again.`);
}

function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return undefined;
}
