import { isRecord } from '../../protocol/index.ts';

/**
 * How long the service asks to wait, from an error of an HTTP client: `response.headers`, `responseHeaders` of the AI SDK, or
 * `headers`. Milliseconds; `undefined` if it does not ask.
 *
 * @param now epoch milliseconds
 * @source RFC 9110 10.2.3
 */
export function retryAfterMs(error: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const { response } = error;
  const ofResponse = typeof response === 'object' && response !== null && 'headers' in response;
  for (const headers of [ofResponse && response.headers, error.responseHeaders, error.headers]) {
    const value = headerOf(headers);
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const seconds = Number(value);
    const ms = Number.isNaN(seconds) ? Date.parse(String(value)) - now : seconds * 1_000;
    if (!Number.isNaN(ms)) return Math.max(0, ms);
  }
  return undefined;
}

function headerOf(headers: unknown): unknown {
  if (headers instanceof Headers) return headers.get('retry-after');
  if (!isRecord(headers)) return undefined;
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'retry-after');
  return name && headers[name];
}
