import { parseServerError, shortened } from '../server-error.ts';

/**
 * Why something failed. `network`: the server was not reached. `settled`: a question already had its answer. `busy`: a
 * run is in progress. `refused`: the server refused the request. `broken`: a response ended too early.
 */
export type FailureKind = 'network' | 'settled' | 'busy' | 'refused' | 'broken';

/** A failure, before it is worded. */
export type FailureFacts = {
  readonly kind: FailureKind;
  /** The server's message, or the error's own. May be empty. At most 300 characters. */
  readonly message: string;
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
  return { kind: refusal.code === 'run-active' ? 'busy' : 'refused', message };
}

function isNetworkError(error: Error): boolean {
  return error instanceof TypeError || /websocket|network|fetch|load failed|socket/i.test(error.message);
}
