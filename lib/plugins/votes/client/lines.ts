import type { QuestionLines } from '../../../protocol/approval/question-lines.ts';
import './question-votes.ts';
import { defaultVotesWords, type VotesWords } from './words.ts';

/**
 * Says who has voted on a question, and how many approvals are missing; nothing about a question that needs one answer.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0047
 */
export function votesLines({ words: own }: { readonly words?: Partial<VotesWords> } = {}): QuestionLines {
  const words = { ...defaultVotesWords, ...own };
  return (
    { state, hasAnswered, editedBy, droppedAnswers, answers = [], answer, plugins },
    { person, answerer },
  ) => {
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
  };
}
