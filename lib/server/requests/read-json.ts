import { CountersignError } from '../../protocol/index.ts';
import { defaultChatLimits } from '../limits/size-limits.ts';

/**
 * Reads a JSON body. It counts the bytes as they arrive, so that a body without a declared length cannot
 * exhaust the memory.
 *
 * @param maxBytes bytes on the wire; default 16 MiB, as for all endpoints
 * @throws CountersignError `payload-too-large`, or `invalid-request` if it is not JSON in UTF-8
 */
export async function readJson(
  request: Request,
  maxBytes: number = defaultChatLimits.bodyBytes,
): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const text = await readText(request, maxBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CountersignError('invalid-request', 'The body is not valid JSON.', {}, { cause });
  }
}

/** A refusal that names the maximum size. */
export function tooLarge(maxBytes: number, what = 'The request'): CountersignError {
  return new CountersignError('payload-too-large', `${what} is larger than ${maxBytes} bytes. Send less.`);
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (!request.body) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  let text = '';
  try {
    for await (const bytes of request.body) {
      size += bytes.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      text += decoder.decode(bytes, { stream: true });
    }
    return text + decoder.decode();
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    throw new CountersignError('invalid-request', 'The body could not be read as UTF-8.', {}, { cause });
  }
}
