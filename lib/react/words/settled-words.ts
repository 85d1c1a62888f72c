/** The texts of `SettledInbox`. Those of its filter are the inbox's. */
export type SettledWords = {
  /** The readable name of the list. */
  readonly list: string;
  readonly loading: string;
  readonly failed: string;
  readonly retry: string;
  readonly empty: string;
  readonly emptyHint: string;
  /** Shown if everything was searched. */
  readonly noMatch: string;
  /** Shown while more can be searched. @param found the number of matches in the latest `searched` */
  searched(found: number, searched: number): string;
  readonly clearFilter: string;
  readonly more: string;
};

/** Plain English. */
export const defaultSettledWords: SettledWords = {
  list: 'Decided requests',
  loading: 'Loading…',
  failed: "The requests couldn't be loaded.",
  retry: 'Try again',
  empty: 'No decided requests yet',
  emptyHint: 'Requests appear here when they are answered or withdrawn, or expire.',
  noMatch: 'No decided requests match.',
  searched: (found, searched) =>
    `${found === 0 ? 'No match' : found === 1 ? '1 match' : `${found} matches`} in the last ${searched} requests.`,
  clearFilter: 'Show all',
  more: 'Show more requests',
};
