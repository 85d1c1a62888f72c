import { escalationLines } from '../client/escalation-lines.ts';
import { answererName } from '../client/text/answerer-name.ts';
import { votesLines } from '../client/votes-lines.ts';
import { defaultEscalationWords, type EscalationWords } from '../client/words/escalation-words.ts';
import { type QuestionWords, questionWords } from '../client/words/question-words.ts';
import { defaultVotesWords, type VotesWords } from '../client/words/votes-words.ts';
import { visibleLine } from './visible-line.ts';

/** The texts of the lines. */
export type LineWords = Pick<QuestionWords, 'forPerson'> & {
  /** For a request that several people must approve. */
  readonly votes: VotesWords;
  /** For a request that is escalated while nobody answers it. */
  readonly escalation: EscalationWords;
};

/** Plain English. */
export const lineWords: LineWords = {
  forPerson: questionWords.forPerson,
  votes: defaultVotesWords,
  escalation: defaultEscalationWords,
};

type QuestionWithLines<Time> = Parameters<typeof votesLines>[0] & Parameters<typeof escalationLines<Time>>[0];

/**
 * What a question says about its way to an answer, one sentence a line: who has voted, who else may answer since when, and what happens
 * if nobody does. This is the one place that lists these lines for pages without scripts and for messages.
 *
 * @param moment a time of the question as text
 * @source ADR 0047, ADR 0048
 */
export function questionLines<Time>(
  question: QuestionWithLines<Time>,
  words: LineWords,
  moment: (at: Time) => string,
): readonly string[] {
  const nameOf = (person?: { readonly name: string }) => visibleLine(person?.name ?? '');
  const answerer = (vote: Parameters<typeof answererName>[0]) => answererName(vote, nameOf, words);
  return [
    ...votesLines(question, words.votes, { person: nameOf, answerer }),
    ...escalationLines(question, words.escalation, { moment, label: visibleLine }),
  ];
}
