/**
 * Who acts: named in every call of the flow, handed to tools, written into the log.
 * `id` decides ownership; `name` is what people read.
 */
export type Principal = { readonly id: string; readonly name: string; readonly role?: string };

/** The part of a principal that is recorded and shown. */
export type Person = { readonly id: string; readonly name: string };

/** Drops everything that is not meant for the record. */
export function personOf({ id, name }: Principal): Person {
  return { id, name };
}
