/** One page of a list, with the cursor of the next page if there is one. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next?: string };
