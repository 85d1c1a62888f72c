import { type FailureKind, failureOf } from '../../../client/chat/request-failure.ts';
import type { ChatWords } from '../../words/chat-words.ts';

/** Why something failed, in words for a person. */
export type RequestFailure = {
  readonly kind: FailureKind;
  readonly title: string;
  readonly detail: string;
};

/** Explains an error of a transport. */
export function explainFailure(error: Error, words: ChatWords): RequestFailure {
  const { kind, message } = failureOf(error);
  if (kind === 'network') return networkFailure(words);
  const titles = {
    settled: words.settledTitle,
    busy: words.busyTitle,
    refused: words.refusedTitle,
    broken: words.brokenTitle,
  };
  return { kind, title: titles[kind], detail: message === '' ? words.noReason : message };
}

/** The server was not reached. */
export function networkFailure(words: ChatWords): RequestFailure {
  return { kind: 'network', title: words.networkTitle, detail: words.nothingIsLost };
}
