import type { ReceivedFrame } from '../reducer.ts';
import type { ChatSocketErrorCode } from '../schema.ts';

type ErrorFrame = Extract<ReceivedFrame, { type: 'error' }>;

/** The HTTP statuses of the same refusals. */
const statusOf: Readonly<Partial<Record<ChatSocketErrorCode, number>>> = {
  INVALID_FORMAT: 400,
  ACCESS_DENIED: 403,
  ALREADY_ANSWERED: 409,
  BUSY: 409,
  PAUSED: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
};

/**
 * A request that the server refused, or that was lost with its connection (`CONNECTION_LOST`: the run, if there is one,
 * continues on the server).
 *
 * @source D3
 */
export class ChatSocketError extends Error {
  override readonly name = 'ChatSocketError';
  readonly code: ChatSocketErrorCode | 'CONNECTION_LOST';
  /** The HTTP status of the same refusal. */
  readonly status: number | undefined;
  /** Milliseconds after which the request may be sent again. */
  readonly retryAfterMs: number | undefined;
  /** The field of the request that does not fit. */
  readonly field: string | undefined;

  constructor(code: ChatSocketError['code'], message: string, frame?: ErrorFrame) {
    super(message);
    this.code = code;
    this.status = code === 'CONNECTION_LOST' ? undefined : statusOf[code];
    this.retryAfterMs = frame?.retry_after === undefined ? undefined : frame.retry_after * 1_000;
    this.field = frame?.field;
  }
}

/** The error of a refusal. */
export function refusalOf(frame: ErrorFrame): ChatSocketError {
  return new ChatSocketError(frame.code ?? 'INTERNAL_ERROR', frame.message, frame);
}

/** The error of a request whose connection was lost. */
export function connectionLost(): ChatSocketError {
  return new ChatSocketError('CONNECTION_LOST', 'The connection was lost. The run continues on the server.');
}
