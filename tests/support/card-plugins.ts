import { defaultDelegationWords, delegationCard } from 'countersign/plugins/delegation/react';
import { defaultEscalationWords, escalationCard } from 'countersign/plugins/escalation/react';
import { defaultFormWords, formsCard, type LoadInputSchema } from 'countersign/plugins/forms/react';
import { defaultUpcomingWords, preApprovalsCard } from 'countersign/plugins/pre-approvals/react';
import { defaultRememberWords, rememberedCard } from 'countersign/plugins/remembered/react';
import { defaultVotesWords, votesCard } from 'countersign/plugins/votes/react';
import { CardPluginsProvider } from 'countersign/react';
import { createElement, type ReactNode } from 'react';

/** The texts of all plugins. */
export const pluginWords = {
  delegation: defaultDelegationWords,
  escalation: defaultEscalationWords,
  forms: defaultFormWords,
  preApprovals: defaultUpcomingWords,
  remembered: defaultRememberWords,
  votes: defaultVotesWords,
};

/** What all plugins of the package add to cards. */
export const cardPluginsIn = (
  words: { readonly [Name in keyof typeof pluginWords]?: object } = {},
  loadInputSchema?: LoadInputSchema,
) => [
  delegationCard({ words: words.delegation ?? {} }),
  escalationCard({ words: words.escalation ?? {} }),
  formsCard({ words: words.forms ?? {}, ...(loadInputSchema && { loadInputSchema }) }),
  rememberedCard({ words: words.remembered ?? {} }),
  votesCard({ words: words.votes ?? {} }),
  preApprovalsCard({ words: words.preApprovals ?? {} }),
];

/** A page with all of them. */
export const withPlugins = (content: ReactNode, plugins = cardPluginsIn()) =>
  createElement(CardPluginsProvider, { plugins }, content);
