import type { PlacedPage } from '../log/store-port.ts';
import { CountersignError, type Page } from '../protocol/index.ts';

/** A place between two rows of an ordered list: the sort key (epoch milliseconds), then the row's own number. */
export type Place = { readonly at: number; readonly row: number };

/** A place as text. The flow encrypts it before a client gets it. */
function writeCursor({ at, row }: Place): string {
  return Buffer.from(`${at}.${row}`).toString('base64url');
}

/**
 * Reads a cursor that came back from a client.
 *
 * @throws CountersignError `invalid-request` when this store never wrote it
 */
export function readCursor(cursor: string): Place {
  const match = /^(-?\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) {
    throw new CountersignError('invalid-request', 'The cursor is not one of ours; ask again without it.');
  }
  return { at: Number(match[1]), row: Number(match[2]) };
}

/**
 * A page of rows that were asked for with `limit + 1`: the one too many tells that there is a next page.
 *
 * @param placeOf the place right behind a row; inserts before it do not move it
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  placeOf: (row: Row) => Place,
): Page<Item> {
  const kept = rows.slice(0, limit);
  const items = kept.map(toItem);
  const last = kept.at(-1);
  return last !== undefined && rows.length > limit ? { items, next: writeCursor(placeOf(last)) } : { items };
}

/** The same, with the place behind each of its rows. */
export function placedPageOf<Row, Item>(...page: Parameters<typeof pageOf<Row, Item>>): PlacedPage<Item> {
  const [rows, limit, , placeOf] = page;
  return { ...pageOf(...page), cursors: rows.slice(0, limit).map((row) => writeCursor(placeOf(row))) };
}

/** Parses the row of the key that the flow encrypts cursors with. @throws CountersignError `internal` when it is gone */
export function toCursorKey(row: Readonly<Record<string, unknown>> | undefined): Uint8Array {
  const value = row?.value;
  // Not by `instanceof`: a driver may be of another realm.
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw new CountersignError('internal', 'The row `cursors` is missing from the table `store_keys`.');
}
