import type { PlacedPage } from '../log/store/index.ts';
import type { Page } from '../protocol/index.ts';
import { runtime } from '../runtime/runtime.ts';

/** The maximum number of rows per read. */
const mostRows = 200;

/**
 * Builds a page of visible items from a list that also contains other people's rows. Reads until the page is
 * full or the list ends, so that neither a short page nor a cursor reveals that hidden rows exist.
 *
 * @param see what is shown of each row, in the same order; `undefined` for hidden rows
 * @source ADR 0012
 */
export async function visiblePage<Row, Seen>(
  ...list: Parameters<typeof visibleRows<Row, Seen>>
): Promise<Page<Seen>> {
  const { cursors: _, ...page } = await visibleRows(...list);
  return page;
}

/** Like `visiblePage`, with the store's cursor after each item. */
export async function visibleRows<Row, Seen>(
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
  read: (query: { cursor?: string; limit: number }) => Promise<PlacedPage<Row>>,
  see: (rows: readonly Row[]) => Promise<readonly (Seen | undefined)[]>,
): Promise<PlacedPage<Seen>> {
  const items: Seen[] = [];
  const cursors: string[] = [];
  let from = cursor;
  let size = Math.min(limit + 1, mostRows);
  for (;;) {
    const page = await read({ cursor: from, limit: size });
    for (const [index, seen] of (await see(page.items)).entries()) {
      if (seen === undefined) continue;
      items.push(seen);
      cursors.push(page.cursors[index] ?? '');
    }
    from = page.next;
    if (from === undefined || items.length > limit) break;
    size = mostRows;
    // Many rows may be hidden, and an embedded store answers synchronously: let other work run.
    await runtime.turnOfEventLoop();
  }
  const next = items.length > limit ? cursors[limit - 1] : undefined;
  return { items: items.slice(0, limit), cursors: cursors.slice(0, limit), next };
}
