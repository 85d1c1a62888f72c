import {
  type CountersignError,
  type ErrorCode,
  errorFacts,
  isRecord,
  type Logger,
} from '../protocol/index.ts';

/** What a client reads of a refusal: over HTTP as the body, on a socket as `errorText`. @source H-Errors */
export type ErrorJson = {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly [field: string]: unknown };
};

/** The HTTP status of each refusal. @source H-Errors */
const statusOf: Readonly<Record<ErrorCode, number>> = {
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
  paused: 409,
  'payload-too-large': 413,
  'rate-limited': 429,
  'invalid-settings': 500,
  internal: 500,
  unavailable: 503,
};

/** Only for the operator's log. */
const hidden: ReadonlySet<ErrorCode> = new Set(['internal', 'invalid-settings']);

/** Also written to the operator's log, with its cause. */
const logged: ReadonlySet<ErrorCode> = new Set(['unavailable']);

const internalMessage = 'Something went wrong on our side. Nothing was said about it here; try again later.';

/**
 * Turns anything that was thrown into what may be told. Only a `CountersignError` is told as it is; everything
 * else, and `internal`, is logged and becomes `internal` without detail.
 */
export function toErrorJson(
  error: unknown,
  logger?: Logger,
): { status: number; headers: Readonly<Record<string, string>>; body: ErrorJson } {
  if (isCountersignError(error) && !hidden.has(error.code)) {
    const { code, message, fields } = error;
    if (logged.has(code)) logger?.error('A request failed.', { error: errorFacts(error) });
    const body = { error: { ...fieldsForWire(fields), code, message } };
    return { status: statusOf[code], headers: code === 'rate-limited' ? retryAfter(fields) : {}, body };
  }
  logger?.error('A request failed.', { error: errorFacts(error) });
  return { status: 500, headers: {}, body: { error: { code: 'internal', message: internalMessage } } };
}

/** Whole seconds, rounded up: clients that come back by it are not refused again. @source RFC 9110 10.2.3 */
function retryAfter({ retryAfterMs }: CountersignError['fields']): Readonly<Record<string, string>> {
  const seconds = typeof retryAfterMs === 'number' ? Math.max(1, Math.ceil(retryAfterMs / 1_000)) : 1;
  return { 'retry-after': String(seconds) };
}

/**
 * Whether an error is a refusal of ours. Not by `instanceof`: a bundler may give the flow and its handlers each
 * their own copy of the class.
 */
export function isCountersignError(error: unknown): error is CountersignError {
  return (
    error instanceof Error &&
    error.name === 'CountersignError' &&
    'code' in error &&
    typeof error.code === 'string' &&
    Object.hasOwn(statusOf, error.code)
  );
}

/**
 * For `flow.resume(…).catch`: an unknown or foreign chat looks like one that has nothing to resume.
 *
 * @throws unknown any other error
 * @source H2
 */
export function nullIfNotFound(error: unknown): null {
  if (isCountersignError(error) && error.code === 'not-found') return null;
  throw error;
}

/** The refusal as an HTTP response. @source H-Errors */
export function errorResponse(error: unknown, logger?: Logger): Response {
  const { status, headers, body } = toErrorJson(error, logger);
  return Response.json(body, { status, headers });
}

/** The text of an `error` chunk: a stream has begun, so there is no status left to say it with. */
export function safeErrorText(error: unknown, logger?: Logger): string {
  return toErrorJson(error, logger).body.error.message;
}

/** Epoch milliseconds as the wire has them: ISO 8601 in UTC. @source S1 */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** A standing answer carries its time; on the wire that is ISO 8601. */
function fieldsForWire(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { answer } = fields;
  if (!isRecord(answer) || typeof answer.at !== 'number') return fields;
  return { ...fields, answer: { ...answer, at: isoTime(answer.at) } };
}
