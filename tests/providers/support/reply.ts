/** One piece of a scripted reply. A service makes up the id of a call, unless the script says it. */
export type Piece =
  | { readonly text: string }
  | { readonly call: string; readonly input: object; readonly id?: string };

/** How a reply ends before its time: the connection breaks, or nothing more is sent until the client has left. */
export type EarlyEnd = { readonly ends: 'broken' | 'never' };

/** What a service does with one request that it accepts: it streams pieces, or fails with a status. */
export type Reply = readonly (Piece | EarlyEnd)[] | { readonly fails: number };

/** One event of a stream, and the name that the service gives it, if it names events. */
export type WireEvent = { readonly name?: string; readonly data: unknown };

/** The events of a reply. `last` is what a reply that ends early lacks. */
export type WireReply = { readonly first: readonly WireEvent[]; readonly last: readonly WireEvent[] };

/** Pieces of text as they are streamed: in two halves. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

/** An id of a service's own form, derived from a place, so that no two are equal. */
export function idAt(place: string, { length, prefix = '' }: { length: number; prefix?: string }): string {
  const digits = [...place].map((character) => character.charCodeAt(0).toString(36)).join('');
  return `${prefix}${digits.padStart(length, '0').slice(-length)}`;
}
