import { notFitting } from '../../dialects/begin-turn.ts';
import { CountersignError, type ErrorCode, type Logger } from '../../protocol/index.ts';
import { toErrorJson } from '../../server/errors.ts';
import type { ErrorBody } from './client/schema/response-schema.ts';

const typeOf: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  'step-up-required': 'permission_error',
  'rate-limited': 'rate_limit_error',
  internal: 'server_error',
  unavailable: 'server_error',
};

/**
 * A refusal before the stream, in the form that OpenAI's clients read. They retry after 409 and 5xx unless a header says
 * otherwise, and retrying does not help with these errors.
 *
 * @source C16
 */
export function apiErrorResponse(error: unknown, logger?: Logger): Response {
  const { status, headers, body } = toErrorJson(error, logger);
  const { code, message, param } = body.error;
  const refusal: ErrorBody = {
    error: {
      message,
      type: typeOf[code] ?? 'invalid_request_error',
      param: typeof param === 'string' ? param : null,
      code,
    },
  };
  return Response.json(refusal, {
    status,
    headers: status === 429 ? headers : { 'x-should-retry': 'false' },
  });
}

/**
 * A refusal that HTTP has a status for, and this library no code.
 *
 * @source C16, RFC 9110 15.5.6
 */
export function wrongMethod(method: string, allowed: readonly string[]): Response {
  const message = `${method} is not supported here. Use ${allowed.join(' or ')}.`;
  const refusal: ErrorBody = {
    error: { message, type: 'invalid_request_error', param: null, code: 'method-not-allowed' },
  };
  return Response.json(refusal, {
    status: 405,
    headers: { allow: allowed.join(', '), 'x-should-retry': 'false' },
  });
}

/** The error for a body that does not fit its schema, with the field. */
export function refuseBody(issue: { path: PropertyKey[]; message: string } | undefined): CountersignError {
  const { message, fields } = notFitting('The request', issue);
  const param = paramOf(issue?.path ?? []);
  return new CountersignError('invalid-request', message, { ...fields, param: param || undefined });
}

/** A path of a request's body as clients know it: `input[0].content`. */
function paramOf(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^[.]/, '');
}

/** Work on one field: its refusals name the field, unless they name one already. @throws what the work throws */
export function onParam<Result>(param: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!CountersignError.is(error) || error.fields.param !== undefined) throw error;
    throw new CountersignError(error.code, error.message, { ...error.fields, param }, { cause: error });
  }
}

/** A refusal that names the wrong field of the request. */
export function refuseParam(code: ErrorCode, param: string, message: string): CountersignError {
  return new CountersignError(code, message, { param });
}
