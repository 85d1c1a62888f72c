import { type ErrorCode, type Logger, parseJson } from '../../protocol/index.ts';
import { toErrorJson } from '../../server/errors.ts';
import {
  type ChatSocketErrorCode,
  type ClientFrame,
  clientFrameSchema,
  type ServerFrameInput,
  serverFrameSchema,
} from './schema.ts';

/** A frame of a client; `undefined` for any other text. @source D1, D26 */
export function parseClientFrame(text: string | undefined): ClientFrame | undefined {
  return clientFrameSchema.safeParse(parseJson(text ?? '')).data;
}

/** A frame as it travels. @throws ZodError for one that lacks a field @source D6, D8, D9 */
export function formatServerFrame(frame: ServerFrameInput): string {
  return JSON.stringify(serverFrameSchema.parse(frame));
}

/** Refusals without a code here have only a message. */
const codes: Readonly<Partial<Record<ErrorCode, ChatSocketErrorCode>>> = {
  'invalid-request': 'INVALID_FORMAT',
  'payload-too-large': 'INVALID_FORMAT',
  unauthenticated: 'ACCESS_DENIED',
  forbidden: 'ACCESS_DENIED',
  'step-up-required': 'ACCESS_DENIED',
  'not-found': 'ACCESS_DENIED',
  'already-answered': 'ALREADY_ANSWERED',
  superseded: 'ALREADY_ANSWERED',
  expired: 'ALREADY_ANSWERED',
  'question-changed': 'ALREADY_ANSWERED',
  internal: 'INTERNAL_ERROR',
  unavailable: 'INTERNAL_ERROR',
};

/** What a client may read of an error; unexpected errors are logged, and sent without details. @source D3 */
export function errorFrame(error: unknown, logger?: Logger): ServerFrameInput & { type: 'error' } {
  const { code, message } = toErrorJson(error, logger).body.error;
  return { type: 'error', message, code: codes[code] };
}
