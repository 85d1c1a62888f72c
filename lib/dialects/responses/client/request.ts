import { readEventStream } from '../../../client/event-stream.ts';
import { isRecord, parseJson } from '../../../protocol/json.ts';
import type { ResponseEvent } from '../schema/event-schema.ts';

/** What `ResponsesClient` takes. */
export type ResponsesClientOptions = {
  /** The server's base address, such as `https://example.com`; `/v1` is added. */
  readonly url: string;
  /** For bearer keys. A function is called for each request. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Sent as `model`. The server's model is its own. */
  readonly model?: string;
};

/** A refusal by the server, or a connection that could not be restored (`connection-lost`). */
export class ResponsesError extends Error {
  override readonly name = 'ResponsesError';

  readonly code: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The field or parameter that is wrong. */
  readonly param?: string;
  /** How long to wait before the next request. */
  readonly retryAfterMs?: number;

  constructor(
    code: string,
    message: string,
    { status = 0, param, retryAfterMs }: { status?: number; param?: string; retryAfterMs?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.param = param;
    this.retryAfterMs = retryAfterMs;
  }
}

/** One request to a path below `/v1`. @throws ResponsesError if it is refused; what `fetch` throws */
export async function sendToApi(
  { url, headers = {}, fetch = globalThis.fetch }: ResponsesClientOptions,
  path: string,
  init: { readonly method?: 'POST' | 'DELETE'; readonly body?: object; readonly key?: string } & Pick<
    RequestInit,
    'signal'
  > = {},
): Promise<Response> {
  const { method, body, key, signal } = init;
  const own = typeof headers === 'function' ? await headers() : headers;
  const response = await fetch(`${url.replace(/\/$/, '')}/v1${path}`, {
    ...(method && { method }),
    headers: {
      ...(method && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...own,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
  if (response.ok) return response;
  throw await refusalOf(response);
}

/** The events of a response's stream as they arrive. */
export async function* eventsOf(response: Response): AsyncGenerator<ResponseEvent, void, void> {
  if (!response.body) return;
  for await (const { data } of readEventStream(response.body)) {
    const event = parseJson(data);
    if (isRecord(event) && typeof event.type === 'string') yield event as ResponseEvent;
  }
}

async function refusalOf(response: Response): Promise<ResponsesError> {
  const body = parseJson(await response.text().catch(() => ''));
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const { message, code, param } = error;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ResponsesError(
    typeof code === 'string' ? code : 'unknown',
    typeof message === 'string' ? message : `The server refused the request (${response.status}).`,
    {
      status: response.status,
      ...(typeof param === 'string' && { param }),
      ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }),
    },
  );
}
