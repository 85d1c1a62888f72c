import { type FailureCode, failureCodes } from '../../protocol/failure-code.ts';
import { isRecord } from '../../protocol/index.ts';
import { isErrorLike } from '../call/error-sentence.ts';
import { statusOf } from '../call/transient.ts';

const tooManyRequests = 429;

/** The documented code of a failed model call, from the error, the provider's data or the causes. @source C16 */
export function failureCodeOf(error: unknown): FailureCode | undefined {
  let current = error;
  for (let depth = 0; isErrorLike(current) && depth < 5; depth += 1) {
    const own = current;
    const code = failureCodes.find((known) => codesIn(own).includes(known));
    if (code !== undefined) return code;
    if (statusOf(own) === tooManyRequests) return 'rate_limit_exceeded';
    // The SDK's error after its last retry.
    current = own.cause ?? own.lastError;
  }
  return undefined;
}

/** Providers send the same error object in several places: as `data`, as `error` of a frame, and in a failed response. */
function codesIn(error: Record<string, unknown>): unknown[] {
  const { data } = error;
  const bodies = [error, ...(isRecord(data) ? [data] : [])];
  return bodies.flatMap((body) => {
    const response = isRecord(body.response) ? body.response : {};
    return [body, body.error, response.error].map((each) => (isRecord(each) ? each.code : undefined));
  });
}
