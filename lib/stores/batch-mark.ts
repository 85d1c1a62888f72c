import type { Append } from '../log/store/index.ts';
import { runtime } from '../runtime/runtime.ts';
import { toHex } from '../runtime/to-hex.ts';

/**
 * The mark that a batch leaves at its first event. It identifies an append whose result was lost. The mark is the same
 * for every attempt with the same `id`.
 *
 * @returns 32 hexadecimal digits, formatted as a UUID
 */
export function markOf({ id }: Pick<Append, 'id'>): string {
  if (id === undefined) return crypto.randomUUID();
  return toHex(markBytesOf(id)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The mark of a batch with this id, as 16 bytes. */
export function markBytesOf(id: string): Uint8Array {
  return runtime.fromBase64url(runtime.digest(JSON.stringify(id))).subarray(0, 16);
}
