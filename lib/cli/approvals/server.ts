import { printable, type Terminal, UsageError } from '../command.ts';
import { Refusal, refusalOf } from './exit-code.ts';

/** How long a response may take. */
const patienceMs = 60_000;

type Headers = Readonly<Record<string, string>>;

/** A running server, and the key to use it. */
export type Server = {
  /** The address of its API, without a slash at the end: `https://app.example.com/api`. */
  readonly api: string;
  /**
   * Sends a request, and reads the JSON of its response.
   *
   * @throws Refusal also if the server cannot be reached (`unreachable`)
   */
  request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Headers,
  ): Promise<unknown>;
  /** Opens a stream. @throws Refusal */
  open(path: string, headers: Headers, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
};

/** The options that name a server. */
export const serverOptions = { url: { type: 'string' }, key: { type: 'string' } } as const;

/**
 * The server of `--url` and `--key`, or of `COUNTERSIGN_URL` and `COUNTERSIGN_KEY`. Redirects are not followed, so that the
 * key reaches only this server.
 *
 * @throws UsageError
 */
export function serverFrom(
  given: { readonly url?: string; readonly key?: string },
  { env, complain }: Terminal,
): Server {
  const { url = env.COUNTERSIGN_URL ?? '', key = env.COUNTERSIGN_KEY ?? '' } = given;
  const { api, isExposed } = apiOf(url);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('Set COUNTERSIGN_KEY to an API key of visible ASCII characters, or give --key.');
  }
  if (isExposed) complain('Warning: the key is sent without encryption. Use an https: address.');
  const send = async (path: string, init: Omit<RequestInit, 'headers'> & { readonly headers: Headers }) => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers };
    const response = await fetch(`${api}${path}`, { ...init, headers, redirect: 'error' }).catch(unreachable);
    if (response.ok) return response;
    throw refusalOf(response.status, await response.text().catch(() => ''));
  };
  return {
    api,
    async request(method, path, body, headers = {}) {
      const response = await send(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await response.text().catch(unreachable);
      try {
        return text === '' ? undefined : JSON.parse(text);
      } catch {
        throw new Refusal({ code: 'internal', message: 'The server sent no JSON. Check the address.' });
      }
    },
    async open(path, headers, signal) {
      const { body } = await send(path, { headers, signal });
      if (!body) throw new Refusal({ code: 'internal', message: 'The server sent no stream.' });
      return body;
    },
  };
}

function unreachable(cause: unknown): never {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = inner instanceof Error ? inner.message : String(inner);
  throw new Refusal({ code: 'unreachable', message: `The server cannot be reached: ${why}` });
}

/** An address without a path gets `/api`. Another path is that of the API. */
function apiOf(given: string): { readonly api: string; readonly isExposed: boolean } {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const what = given === '' ? 'Give the address of the app' : `${printable(given)} is not an address`;
    throw new UsageError(`${what}: --url https://app.example.com, or COUNTERSIGN_URL.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('--url must have no user, query or fragment.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  const isLocal = ['localhost', '[::1]'].includes(url.hostname) || url.hostname.startsWith('127.');
  return {
    api: `${url.origin}${path === '' ? '/api' : path}`,
    isExposed: url.protocol === 'http:' && !isLocal,
  };
}
