import type { ChatWords } from '../../words/chat-words.ts';
import { type FailureKind, failureOf } from './request-failure.ts';

/** Why something failed, as text for a person. */
export type RequestFailure = {
  readonly kind: FailureKind;
  readonly title: string;
  readonly detail: string;
  /**
   * The edited arguments that did not fit, as the server sent them. Pass the failure to the card: its form
   * shows it.
   */
  readonly fieldErrors?: unknown;
};

/** Explains an error of a transport. */
export function explainFailure(error: Error, words: ChatWords): RequestFailure {
  const { kind, message, fieldErrors } = failureOf(error);
  if (kind === 'network') return networkFailure(words);
  const titles = {
    settled: words.settledTitle,
    busy: words.busyTitle,
    refused: words.refusedTitle,
    broken: words.brokenTitle,
  };
  const detail = message === '' ? words.noReason : message;
  return { kind, title: titles[kind], detail, fieldErrors };
}

/**
 * The server has not confirmed an answer.
 *
 * @param said the reason from the server or the transport, which replaces the default sentence
 */
export function answerFailure(
  kind: 'unconfirmed' | 'not-received',
  words: ChatWords,
  said?: string,
): RequestFailure {
  return kind === 'unconfirmed'
    ? { kind, title: words.unconfirmedTitle, detail: said ?? words.unconfirmed }
    : { kind, title: words.notReceivedTitle, detail: said ?? words.notReceived };
}

/** The server can be reached again, and does not have the last message. */
export function unsentFailure(words: ChatWords): RequestFailure {
  return { kind: 'network', title: words.unsentTitle, detail: words.unsent };
}

/** The server was not reached. */
export function networkFailure(words: ChatWords): RequestFailure {
  return { kind: 'network', title: words.networkTitle, detail: words.nothingIsLost };
}
