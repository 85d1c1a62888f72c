import { DialectError, type NewDialectError } from '../../../dialects/client/error.ts';
import type { ReceivedFrame } from './reducer.ts';
import type { ChatSocketErrorCode } from './schema.ts';

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
export class ChatSocketError extends DialectError {
  override readonly name = 'ChatSocketError';
  declare readonly code: ChatSocketErrorCode | 'CONNECTION_LOST';

  constructor(code: ChatSocketError['code'], message: string, frame?: ErrorFrame) {
    super(code, message, {
      status: code === 'CONNECTION_LOST' ? 0 : statusOf[code],
      retryAfterMs: frame?.retry_after === undefined ? undefined : frame.retry_after * 1_000,
      refusal: frame,
    });
  }

  /** The field of the request that does not fit. */
  get field(): string | undefined {
    return this.detail('field');
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

/** The error of a request over HTTP, in the codes of this dialect. */
export const refusalOverHttp: NewDialectError = (_code, message, { status = 0 } = {}) => {
  if (status === 0) return connectionLost();
  return new ChatSocketError(status < 500 ? 'ACCESS_DENIED' : 'INTERNAL_ERROR', message);
};
