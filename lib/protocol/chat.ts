/** `idle`: nothing to do; `active`: a run is going; `waiting`: a person or client is asked; `failed`. */
export type ChatStatus = 'idle' | 'active' | 'waiting' | 'failed';

/** A page, and the cursor of the next one when there is more. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next?: string };
