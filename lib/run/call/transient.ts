import { isRecord } from '../../protocol/index.ts';
import { isErrorLike } from './error-sentence.ts';

/** How to interpret a tool's error. @source A10, A11 */
export type Fault = {
  /**
   * Trying again may help: 429, 502, 503, 504, a `Retry-After`, a time-out, an address that was not found, a connection
   * refused or reset.
   */
  readonly transient: boolean;
  /** The effect may have happened before the error: a time-out or a reset. */
  readonly ambiguous: boolean;
  /** The error's own classification. */
  readonly retryable: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
};

const transientStatus = new Set([429, 502, 503, 504]);
const transientCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const ambiguousCodes = new Set([
  'ECONNRESET',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'TimeoutError',
]);

/** Reads an error and its causes. @param now epoch milliseconds, for a `Retry-After` that is a date */
export function faultOf(error: unknown, now = 0): Fault {
  let transient = false;
  let ambiguous = false;
  let retryable = false;
  let waitMs: number | undefined;
  let current = error;
  for (let depth = 0; isErrorLike(current) && depth < 5; depth += 1) {
    const code = String(current.code ?? '');
    const name = String(current.name ?? '');
    waitMs ??= retryAfterMs(current, now);
    if (transientStatus.has(statusOf(current)) || waitMs !== undefined) transient = true;
    if (transientCodes.has(code)) transient = true;
    if (ambiguousCodes.has(code) || ambiguousCodes.has(name)) transient = ambiguous = true;
    if (current.isRetryable === true || current.retryable === true) retryable = true;
    current = current.cause;
  }
  return { transient, ambiguous, retryable, retryAfterMs: waitMs };
}

/** The HTTP status that an error is about; 0 for none. */
export function statusOf({ statusCode, status, response }: Record<string, unknown>): number {
  const ofResponse = isErrorLike(response) || response instanceof Response ? response.status : undefined;
  return Number(statusCode ?? status ?? ofResponse ?? 0);
}

/**
 * How long a service asks to wait, from an HTTP client's error, in milliseconds.
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
