import { parseJson } from '../../protocol/json.ts';
import { refusalSchema } from '../../protocol/wire/refusal.ts';

/** The fields of the server's error object that a client uses. @source H-Errors */
export type ServerError = {
  readonly code: string;
  readonly message: string;
  /** The edited arguments that do not fit. Only the form reads it. */
  readonly fieldErrors?: unknown;
};

const longestText = 300;

/**
 * Reads the server's error object from a text: over both transports, it is the message of the error that a
 * refused request throws. `undefined` if the text has another form.
 */
export function parseServerError(text: string): ServerError | undefined {
  return refusalSchema.safeParse(parseJson(text)).data?.error;
}

/** A text for people, cut to 300 characters. */
export function shortened(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > longestText ? `${trimmed.slice(0, longestText - 1)}…` : trimmed;
}
