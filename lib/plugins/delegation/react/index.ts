import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';
import '../client/eligible.ts';

/** What the card says about delegation. */
export type DelegationWords = {
  /** Who may answer. @param names at least one @param others whether there may be more */
  readonly eligible: (names: readonly string[], others: boolean) => string;
};

/** The English texts. */
export const defaultDelegationWords: DelegationWords = {
  eligible: (names, others) => `Can answer: ${names.join(', ')}${others ? ' and others' : ''}`,
};

/**
 * Says below the context of a question, outside the chat, who may answer it.
 *
 * @param settings.words replace the English texts
 * @source ADR 0049
 */
export function delegationCard({ words }: { readonly words?: Partial<DelegationWords> } = {}): CardPlugin {
  const named = { ...defaultDelegationWords, ...words };
  return {
    name: 'delegation',
    contextLines({ plugins }, { person }) {
      const { eligible = [], othersEligible = false } = plugins?.delegation ?? {};
      return eligible.length === 0 ? [] : [named.eligible(eligible.map(person), othersEligible)];
    },
  };
}
