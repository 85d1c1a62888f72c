import type { EventSourceMessage } from 'eventsource-parser';
import { readEventStream } from '../../client/http/event-stream.ts';
import { isRecord, parseJson } from '../../protocol/json.ts';
import type { DialectError, NewDialectError } from './error.ts';

/** How a client reaches a server. */
export type ServerAddress = {
  /** The server's base address, such as `https://example.com`. Empty: the page's own. */
  readonly url: string;
  /** Headers of each request, such as a bearer key. A function is called for each request. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
};

/** A server, and the errors of the dialect that is spoken with it. */
export type DialectServer = ServerAddress & { readonly newError: NewDialectError };

/** One request. `body` is sent as JSON. */
export type ServerRequest = {
  readonly method?: 'POST' | 'DELETE';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** Sends a request to a path of the server. @throws DialectError for a refusal, and if the server cannot be reached */
export async function sendRequest(
  server: DialectServer,
  path: string,
  { method, body, headers, signal }: ServerRequest = {},
): Promise<Response> {
  const { fetch: send = globalThis.fetch } = server;
  const own = await headersOf(server);
  const response = await send(addressOf(server, path), {
    method,
    headers: { ...(method && { 'content-type': 'application/json' }), ...own, ...headers },
    body: body && JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    throw connectionLost(server, cause);
  });
  if (response.ok) return response;
  throw await refusalOf(server, response);
}

/** The server-sent events of a response. @throws DialectError when the connection breaks */
export async function* receivedEvents(
  server: DialectServer,
  { body }: Response,
): AsyncGenerator<EventSourceMessage, void, void> {
  if (!body) return;
  try {
    yield* readEventStream(body);
  } catch (cause) {
    throw connectionLost(server, cause);
  }
}

/** The headers that the application gives. */
export async function headersOf({ headers = {} }: ServerAddress): Promise<Readonly<Record<string, string>>> {
  return typeof headers === 'function' ? headers() : headers;
}

/** The address of a path that begins with a slash. */
export function addressOf({ url }: ServerAddress, path: string): string {
  return url.replace(/\/$/, '') + path;
}

/** The error of a connection that was lost. */
export function connectionLost({ newError }: DialectServer, cause?: unknown): DialectError {
  return newError('connection-lost', 'The connection was lost.', { cause });
}

async function refusalOf({ newError }: DialectServer, response: Response): Promise<DialectError> {
  const { status } = response;
  const body = parseJson(await response.text().catch(() => ''));
  const refusal = isRecord(body) && isRecord(body.error) ? body.error : {};
  const { code, message } = refusal;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const waitMs = typeof refusal.retryAfterMs === 'number' ? refusal.retryAfterMs : seconds * 1_000;
  return newError(
    typeof code === 'string' ? code : 'internal',
    typeof message === 'string' ? message : `The server refused this (${status}).`,
    { status, refusal, retryAfterMs: Number.isFinite(waitMs) ? waitMs : undefined },
  );
}
