import { assertAuditKey, sealOf } from './auditor.ts';

/** An entry as a record holds it: its facts, whatever they are, and the seal on them. */
export type SealedEntry = { readonly seal: string; readonly chatId?: unknown };

/** What a check of an audit record found: the first entry that does not fit (counted from 0), and why. */
export type AuditFault = { readonly index: number; readonly message: string };

/**
 * Checks a chat's record from its first entry on: a changed, removed or moved entry breaks the chain where it
 * stands. Entries cut off the end break nothing by themselves; they are found by the head that the record came
 * with, and by one that was noted before, if the record came from somebody who could change its head as well.
 *
 * @param head the head that the record came with; `''` for a record without entries
 * @param notedHead the head of an earlier export: a record only grows, so it must still be in it
 * @returns nothing when the record is whole
 * @throws RangeError for a key of less than 16 characters
 * @source ADR 0010
 */
export function verifyAudit(
  entries: readonly SealedEntry[],
  { key, head, notedHead }: { readonly key: string; readonly head: string; readonly notedHead?: string },
): AuditFault | undefined {
  assertAuditKey(key);
  const chatId = entries[0]?.chatId;
  let previous: string | null = null;
  for (const [index, { seal, ...facts }] of entries.entries()) {
    if (facts.chatId !== chatId) {
      return { index, message: `Entry ${index + 1} is of another chat.` };
    }
    if (sealOf(key, previous, facts) !== seal) return { index, message: broken(index) };
    previous = seal;
  }
  const end = entries.length;
  if (head !== (previous ?? '')) {
    return {
      index: end,
      message: `The record does not end with its head: what followed entry ${end} is gone.`,
    };
  }
  if (notedHead === undefined || entries.some(({ seal }) => seal === notedHead)) return undefined;
  return { index: end, message: `The record was cut after entry ${end}: it does not reach the noted head.` };
}

function broken(index: number): string {
  return index === 0
    ? 'Entry 1 was changed, or what came before it is missing, or this is not the key it was sealed with.'
    : `Entry ${index + 1} was changed or moved, or what came before it is missing.`;
}
