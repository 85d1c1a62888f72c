import { isRecord } from '../../protocol/index.ts';

/** How a tool's error is to be taken. @source A10, A11 */
export type Fault = {
  /** Trying again may help: 429, 503, 504, a time-out, a connection refused or reset. */
  readonly transient: boolean;
  /** The effect may have happened before the error: a time-out or a reset. */
  readonly ambiguous: boolean;
  /** What the error says of itself. */
  readonly retryable: boolean;
};

const transientStatus = new Set([429, 503, 504]);
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

/** Reads an error and its causes, as thrown by fetch, Node, HTTP clients and the AI SDK. */
export function faultOf(error: unknown): Fault {
  let transient = false;
  let ambiguous = false;
  let retryable = false;
  let current = error;
  for (let depth = 0; isErrorLike(current) && depth < 5; depth += 1) {
    const status = current.statusCode ?? current.status;
    const code = String(current.code ?? '');
    const name = String(current.name ?? '');
    if (typeof status === 'number' && transientStatus.has(status)) transient = true;
    if (code === 'ECONNREFUSED') transient = true;
    if (ambiguousCodes.has(code) || ambiguousCodes.has(name)) transient = ambiguous = true;
    if (current.isRetryable === true || current.retryable === true) retryable = true;
    current = current.cause;
  }
  return { transient, ambiguous, retryable };
}

function isErrorLike(value: unknown): value is Record<string, unknown> {
  return value instanceof Error || isRecord(value);
}

/** A sentence for people and for the model; never a stack. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  return text === '' ? 'The tool failed.' : text.toWellFormed();
}
