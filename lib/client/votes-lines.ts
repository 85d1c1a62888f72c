import type { Wording } from '../protocol/approval/question-lines.ts';
import type { Person } from './question.ts';
import type { VotesWords } from './words/votes-words.ts';

type Given = { readonly approved: boolean; readonly by: Person; readonly onBehalfOf?: Person };

/** The parts of a question that its votes are described with. */
type VotedQuestion = {
  readonly state: string;
  readonly hasAnswered?: true;
  readonly editedBy?: Person;
  readonly droppedAnswers?: number;
  readonly answers?: readonly Given[];
  readonly answer?: Given;
  readonly plugins?: { readonly votes?: { readonly needed: number } };
};

/**
 * What a question says about its votes, in sentences; none for a question that needs one answer.
 *
 * @source ADR 0047
 */
export function votesLines(
  { state, hasAnswered, editedBy, droppedAnswers, answers = [], answer, plugins }: VotedQuestion,
  words: VotesWords,
  { person, answerer }: Pick<Wording, 'person' | 'answerer'>,
): string[] {
  if (!plugins?.votes) return [];
  const { needed } = plugins.votes;
  const cast = answer ? [...answers, answer] : answers;
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
  const isAlone = hasAnswered && own !== undefined && cast.length === 1;
  return [
    ...(editedBy ? [words.editedBy(person(editedBy))] : []),
    ...(droppedAnswers ? [words.dropped(editedBy !== undefined)] : []),
    // The sentence about the only vote says how many are missing.
    ...(isAlone ? [] : [progress]),
    ...(hasAnswered ? [words.yours(own, Math.max(1, needed - approved.length))] : []),
  ];
}
