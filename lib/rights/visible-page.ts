import { turnOfEventLoop } from '../log/readers.ts';
import type { PlacedPage } from '../log/store-port.ts';
import type { Page } from '../protocol/index.ts';

/** The most rows read at once. */
const mostRows = 200;

/**
 * A page of what somebody may see, of a list that holds others' rows as well. Reads on until the page is full or the
 * list has ended, so neither a short page nor a cursor behind an unseen row tells of the others.
 *
 * @param see what is shown of each row, in their order; `undefined` for those that are not
 * @source ADR 0012
 */
export async function visiblePage<Row, Seen>(
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
  read: (query: { cursor?: string; limit: number }) => Promise<PlacedPage<Row>>,
  see: (rows: readonly Row[]) => Promise<readonly (Seen | undefined)[]>,
): Promise<Page<Seen>> {
  const items: Seen[] = [];
  const cursors: string[] = [];
  let from = cursor;
  let size = Math.min(limit + 1, mostRows);
  for (;;) {
    const page = await read({ ...(from !== undefined && { cursor: from }), limit: size });
    for (const [index, seen] of (await see(page.items)).entries()) {
      if (seen === undefined) continue;
      items.push(seen);
      cursors.push(page.cursors[index] ?? '');
    }
    from = page.next;
    if (from === undefined || items.length > limit) break;
    size = mostRows;
    // Many pages may go by unseen, and an embedded store answers at once.
    await turnOfEventLoop();
  }
  const next = items.length > limit ? cursors[limit - 1] : undefined;
  return { items: items.slice(0, limit), ...(next !== undefined && { next }) };
}
