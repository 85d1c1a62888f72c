import { isMistake } from '../../http/mistake.ts';
import { parseServerError, shortened } from '../../http/server-error.ts';

/**
 * Why something failed. `network`: the server was not reached. `settled`: a question already had its answer. `busy`: a
 * run is in progress. `refused`: the server refused the request. `broken`: a response ended too early. `unconfirmed`: it
 * is unknown whether an answer was received. `not-received`: an answer was not received; its question is still open.
 *
 * @source ADR 0038
 */
export type FailureKind =
  | 'network'
  | 'settled'
  | 'busy'
  | 'refused'
  | 'broken'
  | 'unconfirmed'
  | 'not-received';

/** Whether a failure concerns an answer. The card of its question shows it. */
export function isAboutAnswer(kind: FailureKind): boolean {
  return kind === 'refused' || kind === 'unconfirmed' || kind === 'not-received';
}

/** A failure before it is put into words. */
export type FailureFacts = {
  readonly kind: Exclude<FailureKind, 'unconfirmed' | 'not-received'>;
  /** The server's message, or the error's own. May be empty. At most 300 characters. */
  readonly message: string;
  /** The edited arguments that did not fit, as the server sent them. */
  readonly fieldErrors?: unknown;
};

const settledCodes: ReadonlySet<string> = new Set(['already-answered', 'superseded', 'expired']);

/**
 * Classifies an error of a transport: a network error of `fetch` or of the socket, or the server's error object in the
 * message.
 *
 * @source H-Errors
 */
export function failureOf(error: Error): FailureFacts {
  const refusal = parseServerError(error.message);
  const message = shortened(refusal?.message ?? error.message);
  if (!refusal) return { kind: isNetworkError(error) ? 'network' : 'broken', message };
  if (settledCodes.has(refusal.code)) return { kind: 'settled', message };
  const { code, fieldErrors } = refusal;
  return {
    kind: code === 'run-active' ? 'busy' : 'refused',
    message,
    fieldErrors,
  };
}

function isNetworkError(error: Error): boolean {
  if (isMistake(error)) return false;
  return error instanceof TypeError || /websocket|network|fetch|load failed|socket/i.test(error.message);
}
