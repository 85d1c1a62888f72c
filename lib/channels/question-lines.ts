import { answererName } from '../client/text/answerer-name.ts';
import { votesLines } from '../client/votes-lines.ts';
import { type QuestionWords, questionWords } from '../client/words/question-words.ts';
import { defaultVotesWords, type VotesWords } from '../client/words/votes-words.ts';
import type { QuestionLines, Wording } from '../protocol/approval/question-lines.ts';
import type { QuestionJson } from '../protocol/wire/question.ts';
import { visibleLine } from './visible-line.ts';

/** The texts of the lines. */
export type LineWords = Pick<QuestionWords, 'forPerson'> & {
  /** For a request that several people must approve. */
  readonly votes: VotesWords;
  /** What plugins say about a request, such as `escalationLines()`. */
  readonly lines: readonly QuestionLines[];
};

/** Plain English. */
export const lineWords: LineWords = {
  forPerson: questionWords.forPerson,
  votes: defaultVotesWords,
  lines: [],
};

type QuestionWithLines = Parameters<typeof votesLines>[0] & Pick<QuestionJson, 'state' | 'plugins'>;

/**
 * What a question says about its way to an answer, one sentence a line: who has voted, and what plugins say. This is the one place that lists these lines for pages without scripts and for messages.
 *
 * @param moment a time of the question as text
 * @source ADR 0047, ADR 0056
 */
export function questionLines(
  question: QuestionWithLines,
  words: LineWords,
  moment: (at: string) => string,
): readonly string[] {
  const nameOf = (person?: { readonly name: string }) => visibleLine(person?.name ?? '');
  const answerer = (vote: Parameters<typeof answererName>[0]) => answererName(vote, nameOf, words);
  const { state, plugins } = question;
  const wording: Wording = { person: nameOf, answerer, moment, text: visibleLine };
  return [
    ...votesLines(question, words.votes, wording),
    ...words.lines.flatMap((lines) => lines({ state, plugins }, wording)),
  ];
}
