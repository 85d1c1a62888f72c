import { useSection } from './use-section.ts';

/** Plain English. */
export const defaultSettledWords = {
  /** The readable name of the list. */
  list: 'Decided requests',
  loading: 'Loading…',
  failed: "The requests couldn't be loaded.",
  retry: 'Try again',
  empty: 'No decided requests yet',
  emptyHint: 'Requests appear here when they are answered or withdrawn, or expire.',
  /** Shown if everything was searched. */
  noMatch: 'No decided requests match.',
  /** Shown while more can be searched. @param found the number of matches in the latest `searched` */
  searched: (found: number, searched: number): string =>
    `${found === 0 ? 'No match' : found === 1 ? '1 match' : `${found} matches`} in the last ${searched} requests.`,
  clearFilter: 'Show all',
  more: 'Show more requests',
};

/** The texts of `SettledInbox`. Those of its filter are the inbox's. */
export type SettledWords = Readonly<typeof defaultSettledWords>;

/** The texts of `SettledInbox`. */
export const useSettledWords = (): SettledWords => useSection('settled', defaultSettledWords);
