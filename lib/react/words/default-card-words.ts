import { formWords } from '../../client/words/form-words.ts';
import { type CardWords, firstCardWords } from './card-words.ts';

/** Plain English for the approval card and the tool card. Pass your own to `WordsProvider`. */
export const defaultCardWords: CardWords = { ...firstCardWords, ...formWords };
