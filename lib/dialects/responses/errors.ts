import { CountersignError, type ErrorCode, type Logger } from '../../protocol/index.ts';
import { toErrorJson } from '../../server/errors.ts';
import type { ErrorBody } from './schema/response-schema.ts';

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

/** A refusal that names the wrong field of the request. */
export function refuseParam(code: ErrorCode, param: string, message: string): CountersignError {
  return new CountersignError(code, message, { param });
}
