import type { PlacedPage } from '../log/store/index.ts';
import { CountersignError, type Page } from '../protocol/index.ts';
import { runtime } from '../runtime/runtime.ts';

export type Place = { readonly at: number; readonly row: number };

export const firstPlace: Place = { at: Number.MIN_SAFE_INTEGER, row: -1 };
export const lastPlace: Place = { at: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };

/** Reads the position of a row from two of its columns. */
export function placeBy(at: string, row: string): (of: Readonly<Record<string, unknown>>) => Place {
  return (of) => ({ at: Number(of[at]), row: Number(of[row]) });
}

function writeCursor({ at, row }: Place): string {
  return runtime.toBase64url(new TextEncoder().encode(`${at}.${row}`));
}

/** Parses a cursor that a client sent back. @throws CountersignError `invalid-request` if this store did not create it */
export function readCursor(cursor: string): Place {
  const match = /^(-?\d{1,16})\.(\d{1,16})$/.exec(new TextDecoder().decode(runtime.fromBase64url(cursor)));
  if (!match) {
    throw new CountersignError('invalid-request', 'The cursor is invalid. Repeat the request without it.');
  }
  return { at: Number(match[1]), row: Number(match[2]) };
}

/** A page of rows queried with `limit + 1`: the extra row shows that there is a next page. */
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

/** Like `pageOf`, with the position after each row. */
export function placedPageOf<Row, Item>(...page: Parameters<typeof pageOf<Row, Item>>): PlacedPage<Item> {
  const [rows, limit, , placeOf] = page;
  return { ...pageOf(...page), cursors: rows.slice(0, limit).map((row) => writeCursor(placeOf(row))) };
}

/** Parses the row of the key that encrypts cursors. @throws CountersignError `internal` if it is missing */
export function toCursorKey(row: Readonly<Record<string, unknown>> | undefined): Uint8Array {
  const value = row?.value;
  // Not `instanceof`: the driver may run in another realm.
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw new CountersignError('internal', 'The row `cursors` is missing from the table `store_keys`.');
}
