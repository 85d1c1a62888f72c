import type { Kernel } from '../../flow/plugin/plugin.ts';
import { errorPlace } from '../../protocol/index.ts';
import type { QuestionDetails } from '../../rights/question-rights.ts';
import type { BoundForm, FormTokens, LinkAnswer } from './form-token.ts';
import type { AnswerLinkWords } from './link-words.ts';
import { type LinkPage, pageResponse } from './page/document.ts';
import { unshownPage } from './page/unshown-page.ts';

type LayoutParts = {
  readonly kernel: Pick<Kernel, 'logger'>;
  readonly words: AnswerLinkWords;
  readonly forms: FormTokens;
};

/**
 * The response with a page about a question. The content of a question comes from models and other programs. If it cannot be laid out,
 * its plain JSON is shown, and it can be denied. The error is logged without its message, which could contain that content.
 *
 * @param answer what the page confirms; if it is a denial, the plain page confirms it too
 * @source ADR 0045.15
 */
export function laidOut(
  { kernel, words, forms }: LayoutParts,
  { link, principal }: Pick<BoundForm, 'link' | 'principal'>,
  question: QuestionDetails,
  make: () => LinkPage,
  answer?: LinkAnswer,
): Response {
  try {
    return pageResponse(make(), words);
  } catch (error) {
    const facts = { approvalId: question.id, error: errorPlace(error) };
    kernel.logger.error('A question could not be laid out for its link. Its JSON is shown.', facts);
    const denial = answer?.approved === false ? answer : undefined;
    const form = forms.make({ link, principal, question, answer: denial });
    return pageResponse(unshownPage({ question, words }, form, denial), words);
  }
}
