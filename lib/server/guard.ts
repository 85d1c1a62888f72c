import { CountersignError } from '../protocol/index.ts';

/** Methods that change nothing. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Hosts that are ours without being named: this machine, by its own names. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Names under which this server may be reached. */
export type GuardSettings = {
  /**
   * Host names, with or without a port (`chat.example.com`, `localhost:3000`); without one, any port will do.
   * `*` accepts every host. Default: the names of the loopback interface only, so that a page whose own name was
   * pointed at this machine (DNS rebinding) gets nothing.
   */
  readonly allowedHosts?: readonly string[];
};

/**
 * Refuses what no page of ours would send: a foreign Host, a foreign Origin, an unsafe request that a plain HTML
 * form or another site could have made.
 *
 * @throws CountersignError `forbidden` (403), or `invalid-request` (400) for a wrong content type
 * @source H-Identity, H-Errors
 */
export function guardRequest(request: Request, settings: GuardSettings = {}): void {
  const host = guardHost(request, settings);
  guardOrigin(request, host);
  if (safeMethods.has(request.method)) return;

  const site = request.headers.get('sec-fetch-site');
  if (!request.headers.has('origin') && site !== null && site !== 'same-origin') {
    throw new CountersignError(
      'forbidden',
      'This request was made by another site. Call this address from a page that it serves.',
    );
  }
  // A form can send other content types across sites without asking first; JSON it cannot.
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new CountersignError('invalid-request', 'Send this request with content-type: application/json.');
  }
}

/**
 * The rules for a WebSocket handshake: a known Host, and no foreign Origin. Servers send no Origin and may come in.
 *
 * @throws CountersignError `forbidden`
 * @source H3, H-Identity
 */
export function guardHandshake(request: Request, settings: GuardSettings = {}): void {
  guardOrigin(request, guardHost(request, settings));
}

/** The host that the client asked for; the Host header, since a server's own URL may be anything. */
export function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
}

/** The host without its port: `[::1]:3000` → `[::1]`. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, '');
}

function guardHost(request: Request, { allowedHosts = loopbackHosts }: GuardSettings): string {
  const host = hostOf(request);
  const isOurs = allowedHosts.some((allowed) => {
    const name = allowed.toLowerCase();
    return name === '*' || name === host || name === hostNameOf(host);
  });
  if (isOurs) return host;
  throw new CountersignError(
    'forbidden',
    'This server does not answer under that host name. Use one of its own, or add it to `allowedHosts`.',
  );
}

function guardOrigin(request: Request, host: string): void {
  const origin = request.headers.get('origin');
  if (origin === null || isSameHost(origin, host)) return;
  throw new CountersignError('forbidden', 'This request comes from another origin, which may not call here.');
}

/** Compares by URL rules, so that a default port may be said or left out. */
function isSameHost(origin: string, host: string): boolean {
  if (!/^https?:\/\//i.test(origin)) return false;
  try {
    const parsed = new URL(origin);
    return parsed.host === new URL(`${parsed.protocol}//${host}`).host;
  } catch {
    return false;
  }
}
