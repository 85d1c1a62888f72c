import { CountersignError } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { defaultChatLimits } from '../limits/size-limits.ts';
import { bodyReadBefore } from './body-read-before.ts';
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
