import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import type { WireListener } from './wire.ts';

/**
 * Posts JSON, and shows the request as a frame.
 *
 * @throws Error with the server's message if it refuses
 */
export async function post(
  path: string,
  body: object,
  { onFrame, ...init }: Pick<WireListener, 'onFrame'> & Pick<RequestInit, 'signal' | 'headers'>,
): Promise<Response> {
  const json = JSON.stringify(body);
  onFrame({ direction: 'sent', type: `POST ${path}`, body: json });
  const headers = { 'content-type': 'application/json', ...init.headers };
  const response = await fetch(path, { method: 'POST', body: json, ...init, headers });
  if (response.ok) return response;
  const refusal = parseTyped<{ error?: { message?: unknown } }>(await response.text());
  const message = refusal?.error?.message;
  throw new Error(typeof message === 'string' ? message : `The server refused this (${response.status}).`);
}

/** Reads the server-sent events of a response, each as it arrives, and shows each as a frame. */
export async function readEvents(
  response: Response,
  { onFrame }: Pick<WireListener, 'onFrame'>,
  onEvent: (event: EventSourceMessage) => void,
): Promise<void> {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (let next = await events?.read(); next && !next.done; next = await events?.read()) {
    const { event, data } = next.value;
    onFrame({ direction: 'received', type: event ?? typeOf(data), body: data });
    onEvent(next.value);
  }
}

/** The field `type` of a frame in JSON; empty if it has none. */
function typeOf(json: string): string {
  const type = parseTyped<{ type?: unknown }>(json)?.type;
  return typeof type === 'string' ? type : '';
}

/** Reads JSON that this app's own server wrote. @returns `undefined` for what is no object */
export function parseTyped<T extends object>(json: string): T | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
