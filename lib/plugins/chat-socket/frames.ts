import type { z } from 'zod';
import { type ErrorCode, isRecord, type Logger, parseJson } from '../../protocol/index.ts';
import { toErrorJson } from '../../server/errors.ts';
import {
  type ChatSocketErrorCode,
  type ClientFrame,
  clientFrameSchema,
  clientFrameSchemas,
  type ServerFrameInput,
  serverFrameSchema,
} from './client/schema.ts';

type ErrorFrame = Extract<ServerFrameInput, { type: 'error' }>;

/** A client's frame, or the answer to a text that is none. */
export type ReceivedText =
  | { readonly frame: ClientFrame }
  | { readonly frame?: undefined; readonly refusal: ErrorFrame };

/** Reads a client's frame. What does not fit is refused with its field and the limit. @source D1, D3, D26 */
export function readClientFrame(text: string | undefined): ReceivedText {
  if (text === undefined) return { refusal: malformed('A frame must be text. This one is binary.') };
  const json = parseJson(text);
  if (!isRecord(json)) return { refusal: malformed('A frame must be a JSON object.') };
  const { data: frame, error } = clientFrameSchema.safeParse(json);
  return frame ? { frame } : { refusal: { ...fieldFault(error.issues[0]), ...idsOf(json) } };
}

function malformed(message: string): ErrorFrame {
  return { type: 'error', code: 'INVALID_FORMAT', message };
}

function fieldFault(issue: z.core.$ZodIssue | undefined): ErrorFrame {
  const field = issue?.path.map(String).join('.') ?? '';
  if (issue?.code === 'invalid_union') {
    const types = Object.keys(clientFrameSchemas).join(', ');
    return { ...malformed(`type: must be one of ${types}.`), field: 'type' };
  }
  const limit =
    issue?.code === 'too_big' ? issue.maximum : issue?.code === 'too_small' ? issue.minimum : undefined;
  const refusal = { ...malformed(`${field}: ${issue?.message ?? 'does not fit.'}`), field };
  return limit === undefined ? refusal : { ...refusal, limit: Number(limit) };
}

/** A refusal names no message: only the frames of a turn do. */
const idFields = ['tool_call_id', 'approval_id', 'client_message_id', 'conversation_id'] as const;

/** The ids that a client's frame names, for the refusal of it. */
export function idsOf(
  frame: Readonly<Record<string, unknown>>,
): Partial<Record<(typeof idFields)[number], string>> {
  const isId = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 256;
  return Object.fromEntries(
    idFields.map((field) => [field, frame[field]]).filter(([, value]) => isId(value)),
  );
}

/** A frame as it travels. @throws ZodError for one that lacks a field @source D6, D8, D9 */
export function formatServerFrame(frame: ServerFrameInput): string {
  return JSON.stringify(serverFrameSchema.parse(frame));
}

const codes: Readonly<Record<ErrorCode, ChatSocketErrorCode>> = {
  'invalid-request': 'INVALID_FORMAT',
  'input-mismatch': 'INVALID_FORMAT',
  'key-reused': 'INVALID_FORMAT',
  'payload-too-large': 'INVALID_FORMAT',
  unauthenticated: 'ACCESS_DENIED',
  forbidden: 'ACCESS_DENIED',
  'step-up-required': 'ACCESS_DENIED',
  'not-found': 'ACCESS_DENIED',
  'run-active': 'BUSY',
  'already-answered': 'ALREADY_ANSWERED',
  superseded: 'ALREADY_ANSWERED',
  expired: 'ALREADY_ANSWERED',
  'question-changed': 'ALREADY_ANSWERED',
  'preview-changed': 'ALREADY_ANSWERED',
  paused: 'PAUSED',
  'rate-limited': 'RATE_LIMITED',
  'plugin-missing': 'INTERNAL_ERROR',
  'invalid-settings': 'INTERNAL_ERROR',
  internal: 'INTERNAL_ERROR',
  unavailable: 'INTERNAL_ERROR',
};

/** Refusals that pass by themselves, at an unknown time. */
const passing: ReadonlySet<ErrorCode> = new Set(['run-active', 'unavailable']);

/** What a client may read of an error; unexpected errors are logged, and sent without details. @source D3 */
export function errorFrame(error: unknown, logger?: Logger): ErrorFrame {
  const { headers, body } = toErrorJson(error, logger);
  const { code, message } = body.error;
  const seconds = headers['retry-after'] ?? (passing.has(code) ? '1' : undefined);
  return {
    type: 'error',
    message,
    code: codes[code],
    retry_after: seconds === undefined ? undefined : Number(seconds),
  };
}
