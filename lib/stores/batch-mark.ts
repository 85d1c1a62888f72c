import { hash, randomUUID } from 'node:crypto';
import type { Append } from '../log/store-port.ts';

/**
 * The mark that a batch leaves at its first event: by it an append whose result was lost is recognised later. The same
 * for each attempt with the same `id`.
 *
 * @returns 32 hexadecimal digits, in the form of a UUID
 */
export function markOf({ id }: Pick<Append, 'id'>): string {
  if (id === undefined) return randomUUID();
  const digits = hash('sha256', JSON.stringify(id));
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
