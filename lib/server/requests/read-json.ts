import { CountersignError, isRecord } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { defaultChatLimits } from '../limits/size-limits.ts';
import { readText, tooLarge } from './read-text.ts';

/**
 * Reads a JSON body. It counts the bytes as they arrive, so that a body without a declared length cannot
 * exhaust the memory. If a framework has already read the body, what it kept is used, with the same limit.
 *
 * @param maxBytes bytes on the wire; default 16 MiB, as for all endpoints
 * @param context the second argument of the handler. A bridge from Node passes the Node request there, as
 * `{ incoming }`. Only its `body` is used, and only if the stream is empty
 * @throws CountersignError `payload-too-large`, or `invalid-request` if it is not JSON in UTF-8, or if it was
 * already read and nothing was kept
 */
export async function readJson(
  request: Request,
  maxBytes: number = defaultChatLimits.bodyBytes,
  context?: unknown,
): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const isTaken = request.bodyUsed || request.body?.locked === true;
  // The stream comes first: some parsers set an empty `body` on requests that they do not read.
  const streamed = isTaken ? '' : await readText(request, maxBytes);
  const text = streamed || limited(bodyReadBefore(context), maxBytes);
  if (text === '') throw nothingToRead(isTaken || declared > 0);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CountersignError('invalid-request', 'The body is not valid JSON.', {}, { cause });
  }
}

/** @throws CountersignError `payload-too-large` */
function limited(text: string, maxBytes: number): string {
  if (runtime.utf8Length(text) > maxBytes) throw tooLarge(maxBytes);
  return text;
}

function nothingToRead(wasRead: boolean): CountersignError {
  const message = wasRead
    ? 'The body was already read before this handler, for example by a body parser. On the server, mount the handler before the parser.'
    : 'The body is empty. Send JSON. If you did, a body parser on the server has already read it.';
  return new CountersignError('invalid-request', message);
}

/**
 * The body of a Node request that a framework has read before the handler: what `express.json()` and its siblings keep in
 * `request.body`. Values are serialized again, so that the same limits and checks apply as to bytes from the wire.
 *
 * @param context the second argument of the handler. Bridges from Node, such as `@hono/node-server`, pass
 * `{ incoming, outgoing }` there
 * @returns JSON text; empty if nothing was kept
 * @throws CountersignError `invalid-request` if the value is not JSON
 * @source H1
 */
function bodyReadBefore(context: unknown): string {
  const incoming = isRecord(context) ? context.incoming : undefined;
  const body = isRecord(incoming) ? incoming.body : undefined;
  if (body === undefined) return '';
  try {
    if (body instanceof Uint8Array) return new TextDecoder('utf-8', { fatal: true }).decode(body);
    return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  } catch (cause) {
    const message = 'The body was already read, and what was kept of it is not JSON.';
    throw new CountersignError('invalid-request', message, {}, { cause });
  }
}
