import type { Page } from '../../protocol/chat.ts';

/** A page that may be shortened: for each item, the cursor of the items that follow it. */
export type PlacedPage<Item> = Page<Item> & { readonly cursors: readonly string[] };
