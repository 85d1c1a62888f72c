import { CountersignError } from '../protocol/index.ts';

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The names of the loopback interface: the default of `allowedHosts`. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The host names of this server, and the pages that may use it. */
export type GuardSettings = {
  /**
   * Host names, with or without a port (`chat.example.com`, `localhost:3000`). A name without a port allows
   * every port; `*` allows every host. Default: only the names of the loopback interface, which prevents DNS
   * rebinding (a foreign name that resolves to this machine).
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins of other hosts whose pages may use this server with the cookies of their user, over HTTP and over WebSockets:
   * `https://app.example.com`, as browsers send it in the header Origin. There are no patterns. Default: none. Only
   * pages of this host may use it.
   */
  readonly allowedOrigins?: readonly string[];
};

/**
 * Refuses requests that neither the app's own pages nor those of `allowedOrigins` send: those with another Host or
 * Origin, and unsafe requests that an HTML form or another site could have sent.
 *
 * @throws CountersignError `forbidden` (403), or `invalid-request` (400) for a wrong content type
 * @source H-Identity, H-Errors
 */
export function guardRequest(request: Request, settings: GuardSettings = {}): void {
  const host = guardHost(request, settings);
  guardOrigin(request, host, settings);
  if (safeMethods.has(request.method)) return;

  const site = request.headers.get('sec-fetch-site');
  if (!request.headers.has('origin') && site !== null && site !== 'same-origin') {
    throw new CountersignError(
      'forbidden',
      'Requests from other sites are refused. Send this request from a page of this server.',
    );
  }
  // A browser sends this header to another site after a CORS preflight only. Clients with keys send no type without a body.
  const type = request.headers.get('content-type');
  if (type === null && /^bearer /i.test(request.headers.get('authorization') ?? '')) return;
  // A cross-site form can send some content types without a preflight, but not JSON.
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new CountersignError('invalid-request', 'Send this request with content-type: application/json.');
  }
}

/**
 * Checks a handshake's Host and Origin. Programs send no Origin.
 *
 * @throws CountersignError `forbidden`
 * @source H3, H-Identity
 */
export function guardHandshake(request: Request, settings: GuardSettings = {}): void {
  guardOrigin(request, guardHost(request, settings), settings);
}

/** Whether pages of this origin are listed in `allowedOrigins`. `null`, the origin of sandboxed pages, never is. */
export function isListedOrigin(origin: string | null, { allowedOrigins = [] }: GuardSettings): boolean {
  return origin !== null && origin !== 'null' && allowedOrigins.includes(origin);
}

/** The host that the client requested. Read from the Host header, because the server's own URL may differ. */
export function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
}

/** Removes the port: `[::1]:3000` → `[::1]`. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** The Host that the client requested. @throws CountersignError `forbidden` unless it is allowed */
export function guardHost(request: Request, { allowedHosts = loopbackHosts }: GuardSettings): string {
  const host = hostOf(request);
  const isAllowed = allowedHosts.some((allowed) => {
    const name = allowed.toLowerCase();
    return name === '*' || name === host || name === hostNameOf(host);
  });
  if (isAllowed) return host;
  throw new CountersignError(
    'forbidden',
    'This host name is not allowed. Use an allowed one, or add it to `allowedHosts`.',
  );
}

/** @throws CountersignError `forbidden` for a page of another origin, unless it is listed */
export function guardOrigin(request: Request, host: string, settings: GuardSettings): void {
  const origin = request.headers.get('origin');
  if (origin === null || isSameHost(origin, host) || isListedOrigin(origin, settings)) return;
  throw new CountersignError(
    'forbidden',
    'This request comes from an origin that is not allowed. Use a page of this host, or add the origin to `allowedOrigins`.',
  );
}

/** Compares as URLs, so that an explicit default port equals an omitted one. */
function isSameHost(origin: string, host: string): boolean {
  if (!/^https?:\/\//i.test(origin)) return false;
  try {
    const parsed = new URL(origin);
    return parsed.host === new URL(`${parsed.protocol}//${host}`).host;
  } catch {
    return false;
  }
}
