import { defaultEscalationWords, escalationCard } from 'countersign/plugins/escalation/react';
import { defaultVotesWords, votesCard } from 'countersign/plugins/votes/react';

/** The texts of all plugins. */
export const pluginWords = { escalation: defaultEscalationWords, votes: defaultVotesWords };

/** What all plugins of the package add to cards. */
export const cardPluginsIn = (words: { readonly [Name in keyof typeof pluginWords]?: object } = {}) => [
  escalationCard({ words: words.escalation ?? {} }),
  votesCard({ words: words.votes ?? {} }),
];

/** The same, in English. */
export const cardPlugins = cardPluginsIn();
