import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isRecord, parseJson } from '../../../protocol/json.ts';
import { readToolEvent } from '../read-message.ts';
import type { ToolEvent } from '../schema.ts';

/** A refusal of the server, or a connection that could not be resumed (`code` is `connection-lost`, `status` 0). */
export class ToolEventsError extends Error {
  override readonly name = 'ToolEventsError';
  /** The server's code, such as `run-active`. @source H-Errors */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** How long to wait before the next request, if the server says it. Milliseconds. */
  readonly retryAfterMs?: number;

  constructor(code: string, message: string, status: number, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.status = status;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/** @throws ToolEventsError unless the status says success */
export async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body = parseJson(await response.text());
  const { code, message } = isRecord(body) && isRecord(body.error) ? body.error : {};
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ToolEventsError(
    typeof code === 'string' ? code : 'internal',
    typeof message === 'string' ? message : `The server refused this (${response.status}).`,
    response.status,
    Number.isNaN(seconds) ? undefined : seconds * 1_000,
  );
}

/** The frames of a response, each with its id, if it has one. @throws what the network throws when the connection breaks */
export async function* framesOf({
  body,
}: Response): AsyncGenerator<{ readonly id: string | undefined; readonly frame: ToolEvent }, void, void> {
  const reader = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      const frame = readToolEvent(next.value.data);
      if (frame) yield { id: next.value.id, frame };
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

/** The items of a stream. Some browsers cannot iterate one. Leaving the loop early cancels it. */
export async function* iterate<Item>(stream: ReadableStream<Item>): AsyncGenerator<Item, void, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
