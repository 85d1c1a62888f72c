import { type AnswerResult, UnconfirmedAnswerError } from '../../client/inbox/answer-result.ts';
import type { InboxWords } from '../words/inbox-words.ts';

/**
 * Tells a card what came of its answer: it shows what `onDecide` throws. A question that was settled first shows that itself.
 *
 * @throws UnconfirmedAnswerError if it is unknown whether the answer was received
 * @throws Error if it was refused, with what of edited arguments did not fit
 */
export function checkAccepted(result: AnswerResult, words: InboxWords): void {
  if (result.type === 'unreachable') throw new UnconfirmedAnswerError(words.refusal(result));
  if (result.type === 'refused') {
    throw Object.assign(new Error(words.refusal(result)), { misfits: result.misfits });
  }
}
