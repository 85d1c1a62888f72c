import type { QuestionWords } from '../client/words/question-words.ts';

/**
 * Texts of documents without scripts: e-mails, and pages that work without JavaScript. Times are in UTC by default, because the time zone
 * of the reader is not known.
 */
export type DocumentWords = Pick<QuestionWords, 'moment'> & {
  /** The language of these texts, as a BCP 47 tag. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly tool: string;
  readonly askedBy: string;
  readonly askedAt: string;
  readonly expires: string;
  /** The heading of the arguments. */
  readonly request: string;
};

/** Plain English. */
export const documentWords: DocumentWords = {
  language: 'en',
  direction: 'ltr',
  moment: (at) =>
    at.toLocaleString('en', {
      ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
      ...{ hourCycle: 'h23', timeZone: 'UTC', timeZoneName: 'short' },
    }),
  tool: 'Tool',
  askedBy: 'Asked by',
  askedAt: 'Asked',
  expires: 'Expires',
  request: 'Request',
};
