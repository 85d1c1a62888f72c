import { isRecord, parseJson } from '../../../protocol/json.ts';
import { refusalSchema } from '../../../protocol/wire/refusal.ts';

/** A request that the server refused (`code` is the server's), or that was lost with its connection (`connection-lost`). */
export class TwoStepError extends Error {
  override readonly name = 'TwoStepError';
  readonly code: string;
  /** The HTTP status of the refusal. */
  readonly status: number | undefined;
  /** Milliseconds after which the request may be sent again. */
  readonly retryAfterMs: number | undefined;
  /** The stream that continues the turn, if the refusal names one. */
  readonly streamId: string | undefined;

  constructor(
    code: string,
    message: string,
    { cause, ...facts }: { status?: number; retryAfterMs?: number; streamId?: string; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.streamId = facts.streamId;
  }
}

/** How a client reaches a server. */
export type ServerAddress = {
  /** The server's base address, such as `https://example.com`. Empty: the page's own. */
  readonly url: string;
  /** Headers of each request, such as a bearer key. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
};

/**
 * Sends a request.
 *
 * @param request.body sent as JSON
 * @throws TwoStepError for a refusal, and if the server cannot be reached
 */
export async function sendRequest(
  { url, headers: given, fetch: send = globalThis.fetch }: ServerAddress,
  path: string,
  {
    method = 'GET',
    body,
    headers,
    signal,
  }: Omit<RequestInit, 'body' | 'headers'> & {
    body?: object;
    headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Response> {
  const own = typeof given === 'function' ? given() : given;
  const response = await send(`${url.replace(/\/$/, '')}${path}`, {
    method,
    headers: { ...own, ...headers, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw connectionLost(cause);
  });
  if (response.ok) return response;
  throw await refusalOf(response);
}

/** The error of a connection that was lost. The run, if there is one, continues on the server. */
export function connectionLost(cause?: unknown): TwoStepError {
  return new TwoStepError('connection-lost', 'The connection was lost.', { cause });
}

/** Whether the same request may succeed later: the server is away, or asks to wait. */
export function isTransient({ status }: TwoStepError): boolean {
  return status === undefined || [429, 502, 503, 504].includes(status);
}

async function refusalOf(response: Response): Promise<TwoStepError> {
  const { status } = response;
  const text = await response.text().catch(() => '');
  const error = refusalSchema.safeParse(parseJson(text)).data?.error;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const waits =
    isRecord(error) && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : seconds * 1_000;
  const message = error?.message ?? `The server refused this (${status}).`;
  return new TwoStepError(error?.code ?? 'internal', message, {
    status,
    ...(Number.isFinite(waits) && { retryAfterMs: waits }),
    ...(typeof error?.stream_id === 'string' && { streamId: error.stream_id }),
  });
}
