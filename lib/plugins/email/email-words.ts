import { type DocumentWords, documentWords } from '../../channels/document-words.ts';
import { lineWords } from '../../channels/question-lines.ts';
import type { SummaryWords } from '../../channels/question-summary.ts';
import { type QuestionWords, questionWords } from '../../client/words/question-words.ts';

/**
 * All texts of e-mails. Those about the question are those of the approval card.
 *
 * @source ADR 0038, ADR 0051
 */
export type EmailWords = SummaryWords &
  DocumentWords &
  Pick<QuestionWords, 'approvalNeeded' | 'answerNeeded' | 'options' | 'reason'> & {
    /** The label of the link to an open question. */
    readonly answer: string;
    /** The label of the link to a question that was decided. */
    readonly open: string;
    /** Above a reminder. */
    readonly dueSoon: string;
    /** Above a message about a request that nobody has answered. */
    readonly reminder: string;
    /** Under the request, if its answer needs what only the page can take. */
    readonly needsPage: string;
    /** The effect has details that the message does not show. */
    readonly moreDetails: string;
    /** @param name of the recipient */
    onlyFor(name: string): string;
  };

/** Plain English. */
export const defaultEmailWords: EmailWords = {
  ...questionWords,
  ...documentWords,
  ...lineWords,
  answer: 'Review and answer',
  open: 'Open in the inbox',
  dueSoon: 'This request expires soon.',
  reminder: 'This request is still waiting for an answer.',
  needsPage: 'The answer needs details. Enter them on the page.',
  moreDetails: 'The page shows the details of the effect.',
  onlyFor: (name) =>
    `This message is for ${name}. Do not forward it: the link may let others answer for you.`,
};
