import { z } from 'zod';
import { CountersignError, type ErrorCode, errorFacts, isRecord, type Logger } from '../protocol/index.ts';
import { fieldErrorSchema } from '../protocol/wire/field-error.ts';
import { refusalSchema } from '../protocol/wire/refusal.ts';
import type { Immutable } from '../protocol/wire/wire-object.ts';

/** The client's view of a refusal: the body over HTTP, `errorText` on a socket. @source H-Errors */
export const errorSchema = z.object({
  error: refusalSchema.shape.error.extend({
    code: z.enum([
      'invalid-request',
      'unauthenticated',
      'forbidden',
      'step-up-required',
      'not-found',
      'run-active',
      'already-answered',
      'input-mismatch',
      'superseded',
      'expired',
      'question-changed',
      'preview-changed',
      'paused',
      'plugin-missing',
      'key-reused',
      'payload-too-large',
      'rate-limited',
      'internal',
      'unavailable',
    ]),
    fieldErrors: z
      .array(fieldErrorSchema)
      .optional()
      .describe(
        'With `invalid-request` for edited arguments: the values that do not fit the schema. At most 20.',
      ),
  }),
});

export type ErrorJson = Immutable<z.infer<typeof errorSchema>>;

/** The HTTP status of each error code. @source H-Errors */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  'invalid-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'step-up-required': 403,
  'not-found': 404,
  'run-active': 409,
  'already-answered': 409,
  'input-mismatch': 409,
  superseded: 409,
  expired: 409,
  'question-changed': 409,
  'preview-changed': 409,
  paused: 409,
  'plugin-missing': 501,
  'key-reused': 422,
  'payload-too-large': 413,
  'rate-limited': 429,
  'invalid-settings': 500,
  internal: 500,
  unavailable: 503,
};

/** Whether clients see the details. Those of other errors are only logged. */
function isShown(code: ErrorCode): code is Exclude<ErrorCode, 'internal' | 'invalid-settings'> {
  return code !== 'internal' && code !== 'invalid-settings' && Object.hasOwn(statusOf, code);
}

/** Codes that clients see in full and that are also logged, with their cause. */
const logged: ReadonlySet<ErrorCode> = new Set(['unavailable']);

const internalMessage = 'Something went wrong on our side. No details are available. Try again later.';

/** A thrown value as a client may see it. Unexpected errors are logged and sent without details. */
export function toErrorJson(
  error: unknown,
  logger?: Logger,
): { status: number; headers: Readonly<Record<string, string>>; body: ErrorJson } {
  if (CountersignError.is(error) && isShown(error.code)) {
    const { code, message, fields } = error;
    if (logged.has(code)) logger?.error('A request failed.', { error: errorFacts(error) });
    const body = { error: { ...fieldsForWire(fields), code, message } };
    return { status: statusOf[code], headers: code === 'rate-limited' ? retryAfter(fields) : {}, body };
  }
  logger?.error('A request failed.', { error: errorFacts(error) });
  return { status: 500, headers: {}, body: { error: { code: 'internal', message: internalMessage } } };
}

/** Whole seconds, rounded up, so that a client that waits this long is not refused again. @source RFC 9110 10.2.3 */
function retryAfter({ retryAfterMs }: CountersignError['fields']): Readonly<Record<string, string>> {
  const seconds = typeof retryAfterMs === 'number' ? Math.max(1, Math.ceil(retryAfterMs / 1_000)) : 1;
  return { 'retry-after': String(seconds) };
}

/** For the `catch` of a read: nothing to show. @throws unknown any other error @source H2 */
export function nullIfNotFound(error: unknown): null {
  if (CountersignError.is(error) && error.code === 'not-found') return null;
  throw error;
}

/** The refusal as an HTTP response. @source H-Errors */
export function errorResponse(error: unknown, logger?: Logger): Response {
  const { status, headers, body } = toErrorJson(error, logger);
  return Response.json(body, { status, headers });
}

/** The text of an `error` chunk: once a stream has started, its HTTP status can no longer change. */
export function safeErrorText(error: unknown, logger?: Logger): string {
  return toErrorJson(error, logger).body.error.message;
}

/** Epoch milliseconds in wire form: ISO 8601 in UTC. @source S1 */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function fieldsForWire(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { answer } = fields;
  if (!isRecord(answer) || typeof answer.at !== 'number') return fields;
  return { ...fields, answer: { ...answer, at: isoTime(answer.at) } };
}
