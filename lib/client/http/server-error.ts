import { parseJson } from '../../protocol/json.ts';
import { anything, object, text } from './read-wire.ts';

/** The fields of the server's error object that a client uses. @source H-Errors */
export type ServerError = {
  readonly code: string;
  readonly message: string;
  /** The edited arguments that do not fit. Only the form reads it. */
  readonly fieldErrors?: unknown;
  /** The answer that counts, if there is one already. */
  readonly answer?: unknown;
};

const readError = object<ServerError>({
  code: text,
  message: text,
  fieldErrors: anything,
  answer: anything,
});
const readRefusal = object<{ readonly error: ServerError }>({ error: readError });

/** Reads the body of a refusal. */
export const errorIn = (body: unknown): ServerError | undefined => readRefusal(body)?.error;

const longestText = 300;

/**
 * Reads the server's error object from a text: over both transports, it is the message of the error that a
 * refused request throws. `undefined` if the text has another form.
 */
export function parseServerError(given: string): ServerError | undefined {
  return errorIn(parseJson(given));
}

/** A text for people, cut to 300 characters. */
export function shortened(long: string): string {
  const trimmed = long.trim();
  return trimmed.length > longestText ? `${trimmed.slice(0, longestText - 1)}…` : trimmed;
}
