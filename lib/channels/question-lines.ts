import { answererName } from '../client/text/answerer-name.ts';
import { type QuestionWords, questionWords } from '../client/words/question-words.ts';
import type { QuestionLines, Wording } from '../protocol/approval/question-lines.ts';
import { visibleLine } from './visible-line.ts';

/** The texts of the lines. */
export type LineWords = Pick<QuestionWords, 'forPerson'> & {
  /** What plugins say about a request, such as `votesLines()`. */
  readonly lines: readonly QuestionLines[];
};

/** Plain English. */
export const lineWords: LineWords = { forPerson: questionWords.forPerson, lines: [] };

/**
 * What plugins say about a question's way to an answer, one sentence a line.
 *
 * @param moment a time as text
 * @source ADR 0056
 */
export function questionLines(
  question: Parameters<QuestionLines>[0],
  words: LineWords,
  moment: (at: string) => string,
): readonly string[] {
  const nameOf = (person?: { readonly name: string }) => visibleLine(person?.name ?? '');
  const answerer = (vote: Parameters<typeof answererName>[0]) => answererName(vote, nameOf, words);
  const wording: Wording = { person: nameOf, answerer, moment, text: visibleLine };
  return words.lines.flatMap((lines) => lines(question, wording));
}
