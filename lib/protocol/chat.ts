/**
 * `idle`: nothing is running; `active`: a run is in progress; `waiting`: a person or a client must act;
 * `failed`: the last run failed.
 */
export type ChatStatus = 'idle' | 'active' | 'waiting' | 'failed';

/** One page of a list, with the cursor of the next page if there is one. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next?: string };
