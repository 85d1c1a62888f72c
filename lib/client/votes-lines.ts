import type { Wording } from '../protocol/approval/question-lines.ts';
import type { Person } from './question.ts';
import type { VotesWords } from './words/votes-words.ts';

/** The parts of a question that its votes are described with. */
type VotedQuestion = {
  readonly state: string;
  readonly hasVoted?: true;
  readonly editedBy?: Person;
  readonly votes?: {
    readonly needed: number;
    readonly dropped?: number;
    readonly cast: readonly {
      readonly approved: boolean;
      readonly by: Person;
      readonly onBehalfOf?: Person;
    }[];
  };
};

/**
 * What a question says about its votes, in sentences; none for a question that needs one answer.
 *
 * @source ADR 0047
 */
export function votesLines(
  { state, hasVoted, editedBy, votes }: VotedQuestion,
  words: VotesWords,
  { person, answerer }: Pick<Wording, 'person' | 'answerer'>,
): string[] {
  if (!votes) return [];
  const { needed, dropped, cast } = votes;
  const namesOf = (isApproval: boolean) =>
    cast.filter(({ approved }) => approved === isApproval).map(answerer);
  const approved = namesOf(true);
  const denied = namesOf(false);
  const progress = words.progress({ needed, approved, denied });
  if (state !== 'open') return [progress];
  // Which vote is this person's, and who gave it, is unknown here.
  const isOwn = cast.every(({ onBehalfOf }) => onBehalfOf === undefined);
  const isKnown = isOwn && (approved.length === 0 || denied.length === 0);
  const own = isKnown ? denied.length === 0 : undefined;
  const isAlone = hasVoted && own !== undefined && cast.length === 1;
  return [
    ...(editedBy ? [words.editedBy(person(editedBy))] : []),
    ...(dropped ? [words.dropped(editedBy !== undefined)] : []),
    // The sentence about the only vote says how many are missing.
    ...(isAlone ? [] : [progress]),
    ...(hasVoted ? [words.yours(own, Math.max(1, needed - approved.length))] : []),
  ];
}
