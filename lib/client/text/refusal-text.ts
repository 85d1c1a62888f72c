import { isRecord } from '../../protocol/json.ts';
import { parseServerError, shortened } from '../http/server-error.ts';

/**
 * The reason of an error for people: the server's message if the error contains its error object, otherwise
 * the error's own message, which may be empty. At most 300 characters.
 *
 * @source H-Errors
 */
export function refusalText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return shortened(parseServerError(message)?.message ?? message);
}

/** What of edited arguments did not fit, as the server sent it: in its error object, or as `fieldErrors` of an error of ours. */
export function fieldErrorsIn(error: unknown): unknown {
  if (isRecord(error) && error.fieldErrors !== undefined) return error.fieldErrors;
  return error instanceof Error ? parseServerError(error.message)?.fieldErrors : undefined;
}
