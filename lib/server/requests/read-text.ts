import { CountersignError } from '../../protocol/index.ts';
import type { ChatLimits } from '../limits/size-limits.ts';

/** An error that names the maximum size, and the setting that raises it. */
export function tooLarge(
  maxBytes: number,
  what = 'The request',
  setting: keyof ChatLimits = 'bodyBytes',
): CountersignError {
  const raise = `Send less, or raise \`limits.${setting}\` on the server.`;
  return new CountersignError('payload-too-large', `${what} is larger than ${maxBytes} bytes. ${raise}`);
}

/** Reads a body as UTF-8. @throws CountersignError `payload-too-large`, or `invalid-request` */
export async function readText(request: Request, maxBytes: number): Promise<string> {
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
    if (CountersignError.is(cause)) throw cause;
    throw new CountersignError('invalid-request', 'The body could not be read as UTF-8.', {}, { cause });
  }
}
