import { votesLines } from '../../../client/votes-lines.ts';
import { defaultVotesWords, type VotesWords } from '../../../client/words/votes-words.ts';
import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';

export { defaultVotesWords, type VotesFacts, type VotesWords } from '../../../client/words/votes-words.ts';

/**
 * Says on the card, and in its row of the inbox, who has voted on a question that several people must approve, and how many
 * approvals are missing.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0047
 */
export function votesCard({ words }: { readonly words?: Partial<VotesWords> } = {}): CardPlugin {
  const named = { ...defaultVotesWords, ...words };
  return {
    name: 'votes',
    lines: (question, wording) => votesLines(question, named, wording),
    saysWhyNot: ({ hasAnswered }) => hasAnswered === true,
  };
}
