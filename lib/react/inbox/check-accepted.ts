import { type AnswerResult, UnconfirmedAnswerError } from '../../client/inbox/answer-result.ts';
import type { InboxWords } from '../words/inbox-words.ts';

/**
 * Throws if an answer was not accepted, because a card shows what `onAnswer` throws. A question that was
 * already settled shows this itself.
 *
 * @throws UnconfirmedAnswerError if it is unknown whether the answer was received
 * @throws Error if it was refused, with the edited arguments that did not fit
 */
export function checkAccepted(result: AnswerResult, words: InboxWords): void {
  if (result.type === 'unreachable') throw new UnconfirmedAnswerError(words.refusal(result));
  if (result.type === 'refused') {
    throw Object.assign(new Error(words.refusal(result)), { fieldErrors: result.fieldErrors });
  }
}
