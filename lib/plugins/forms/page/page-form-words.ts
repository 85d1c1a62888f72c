import { type EditWords, editWords } from '../../../client/words/edit-words.ts';
import { type QuestionWords, questionWords } from '../../../client/words/question-words.ts';
import { type FormWords, formWords } from '../client/form-words.ts';

/** All texts of a form on a page without scripts. Those of `FormWords` and of the card fit. */
export type PageFormWords = FormWords &
  Pick<QuestionWords, 'yes' | 'no'> &
  Pick<EditWords, 'notGiven'> & {
    /** At fields for a date and time. */
    readonly inUtc: string;
  };

/** Plain English. */
export const defaultPageFormWords: PageFormWords = {
  ...formWords,
  yes: questionWords.yes,
  no: questionWords.no,
  notGiven: editWords.notGiven,
  inUtc: 'In UTC, not in your time zone.',
};
