import { parseServerError, shortened } from './server-error.ts';

/**
 * The reason of an error for people: the server's message where the error holds its error object, else the error's own
 * message, which may be empty. At most 300 characters.
 *
 * @source H-Errors
 */
export function refusalText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return shortened(parseServerError(message)?.message ?? message);
}
