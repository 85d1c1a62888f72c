import { isRecord } from '../../protocol/json.ts';
import type { ChatWords } from '../../react/words/chat-words.ts';

/**
 * Why something did not work. `network`: the server was not reached. `settled`: a question had its answer already.
 * `busy`: a run is under way. `refused`: the server said no. `broken`: a response ended too early.
 */
export type FailureKind = 'network' | 'settled' | 'busy' | 'refused' | 'broken';

/** Why something did not work, in words for a person. */
export type RequestFailure = {
  readonly kind: FailureKind;
  readonly title: string;
  readonly detail: string;
};

const settledCodes: ReadonlySet<string> = new Set(['already-answered', 'superseded', 'expired']);

const longestDetail = 300;

/**
 * Explains an error of a transport: a network error of `fetch` or of the socket, or the server's error object in the
 * message.
 *
 * @source H-Errors
 */
export function explainFailure(error: Error, words: ChatWords): RequestFailure {
  const refusal = parseRefusal(error.message);
  if (!refusal) {
    return isNetworkError(error)
      ? networkFailure(words)
      : { kind: 'broken', title: words.brokenTitle, detail: detailOf(error.message, words) };
  }
  const detail = detailOf(refusal.message, words);
  if (settledCodes.has(refusal.code)) return { kind: 'settled', title: words.settledTitle, detail };
  if (refusal.code === 'run-active') return { kind: 'busy', title: words.busyTitle, detail };
  return { kind: 'refused', title: words.refusedTitle, detail };
}

/** The server was not reached. */
export function networkFailure(words: ChatWords): RequestFailure {
  return { kind: 'network', title: words.networkTitle, detail: words.nothingIsLost };
}

function parseRefusal(message: string): { code: string; message: string } | undefined {
  try {
    const value: unknown = JSON.parse(message);
    const error = isRecord(value) ? value.error : undefined;
    if (!isRecord(error) || typeof error.code !== 'string' || typeof error.message !== 'string')
      return undefined;
    return { code: error.code, message: error.message };
  } catch {
    return undefined;
  }
}

function isNetworkError(error: Error): boolean {
  return error instanceof TypeError || /websocket|network|fetch|load failed|socket/i.test(error.message);
}

function detailOf(text: string, words: ChatWords): string {
  const plain = text.trim() === '' ? words.noReason : text.trim();
  return plain.length > longestDetail ? `${plain.slice(0, longestDetail - 1)}…` : plain;
}
