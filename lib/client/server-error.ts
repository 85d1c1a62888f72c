import { isRecord, parseJson } from '../protocol/json.ts';

/** The fields of the server's error object that a client uses. @source H-Errors */
export type ServerError = { readonly code: string; readonly message: string };

const longestText = 300;

/**
 * Reads the server's error object from a text: over both transports, it is the message of the error that a refused
 * request throws. `undefined` where the text is something else.
 */
export function parseServerError(text: string): ServerError | undefined {
  const value = parseJson(text);
  const error = isRecord(value) ? value.error : undefined;
  if (!isRecord(error) || typeof error.code !== 'string' || typeof error.message !== 'string')
    return undefined;
  return { code: error.code, message: error.message };
}

/** A text for people, cut to 300 characters. */
export function shortened(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > longestText ? `${trimmed.slice(0, longestText - 1)}…` : trimmed;
}
