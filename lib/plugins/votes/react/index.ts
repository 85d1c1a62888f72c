import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';
import { votesLines } from '../client/lines.ts';

export { defaultVotesWords, type VotesFacts, type VotesWords } from '../client/words.ts';

/**
 * Says on the card, and in its row of the inbox, who has voted on a question that several people must approve, and how many
 * approvals are missing.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0047
 */
export function votesCard(settings?: Parameters<typeof votesLines>[0]): CardPlugin {
  return {
    name: 'votes',
    lines: votesLines(settings),
    saysWhyNot: ({ hasAnswered }) => hasAnswered === true,
  };
}
