import { defaultDelegationWords, delegationCard } from 'countersign/plugins/delegation/react';
import { defaultEscalationWords, escalationCard } from 'countersign/plugins/escalation/react';
import { defaultFormWords, formsCard } from 'countersign/plugins/forms/react';
import { defaultUpcomingWords, preApprovalsCard } from 'countersign/plugins/pre-approvals/react';
import { defaultRememberWords, rememberedCard } from 'countersign/plugins/remembered/react';
import { defaultVotesWords, votesCard } from 'countersign/plugins/votes/react';
import { type CardPlugin, CardPluginsProvider } from 'countersign/react';
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

/** What each plugin of the package adds to cards, in this order. */
const cards: Readonly<Record<string, (settings: { readonly words: object }) => CardPlugin>> = {
  delegation: delegationCard,
  escalation: escalationCard,
  forms: formsCard,
  remembered: rememberedCard,
  votes: votesCard,
  preApprovals: preApprovalsCard,
};

/**
 * What all plugins of the package add to cards.
 *
 * @param words of plugins, by name; the others are in English
 * @param settings of plugins, by name
 */
export const cardPluginsIn = (
  words: Readonly<Record<string, object>> = {},
  settings: Readonly<Record<string, object>> = {},
) => Object.entries(cards).map(([name, card]) => card({ words: words[name] ?? {}, ...settings[name] }));

/** A page with all of them. */
export const withPlugins = (content: ReactNode, plugins = cardPluginsIn()) =>
  createElement(CardPluginsProvider, { plugins }, content);
