import { type AuditKey, createSeals, idOf, type Seals } from '../../log/seal/audit-keys.ts';
import { createConsistency } from './consistency.ts';

/** An entry of a record: its facts, and the seal on them. */
export type SealedEntry = { readonly seal: string; readonly chatId?: unknown };

/** What a check of an audit record found: the first entry that does not fit (counted from 0), and why. */
export type AuditFault = { readonly index: number; readonly message: string };

/**
 * Checks a chat's record from its first entry on: a changed, removed or moved entry breaks the chain at its
 * place. Entries missing at the end do not break it. They are found by the head that the record came with, and by an
 * earlier head, if the sender of the record could also have changed its head.
 *
 * The content of a complete chain is then checked: each start has its answer, grant or policy before it, with
 * the same arguments, a call starts at most once, and it ends after its start.
 *
 * @param key the flow's `auditKey`: one key, or a ring of keys
 * @param head the head that the record came with; `''` for a record without entries
 * @param notedHead the head of an earlier export: a record only grows, so it must still be in it
 * @param faults the faults in the export: events of the log without a valid seal
 * @returns nothing if the record is valid
 * @throws CountersignError `invalid-settings` for a key of less than 16 characters
 * @source ADR 0010, ADR 0023
 */
export function verifyAudit(
  entries: readonly SealedEntry[],
  {
    key,
    head,
    notedHead,
    faults = [],
  }: {
    readonly key: AuditKey;
    readonly head: string;
    readonly notedHead?: string;
    readonly faults?: readonly unknown[];
  },
): AuditFault | undefined {
  const seals = createSeals(key);
  const stranger = entries.findIndex(({ chatId }) => chatId !== entries[0]?.chatId);
  const broken = brokenChain(seals, stranger === -1 ? entries : entries.slice(0, stranger));
  if (broken) return broken;
  if (stranger !== -1) return { index: stranger, message: `Entry ${stranger + 1} is of another chat.` };
  const index = entries.length;
  if (head !== (entries.at(-1)?.seal ?? '')) {
    return { index, message: `The record does not end with its head: what followed entry ${index} is gone.` };
  }
  if (notedHead !== undefined && !entries.some(({ seal }) => seal === notedHead)) {
    return { index, message: `The record was cut after entry ${index}: it does not reach the noted head.` };
  }
  const consistency = createConsistency(seals);
  for (const [index, entry] of entries.entries()) {
    const message = consistency.fault(entry);
    if (message !== undefined) return { index, message: `Entry ${index + 1} does not follow: ${message}` };
  }
  const [unsealed] = faults;
  return unsealed === undefined ? undefined : { index, message: `The log holds ${wordsOf(unsealed)}.` };
}

/** The first entry whose seal does not follow from the one before. */
export function brokenChain(seals: Seals, entries: readonly SealedEntry[]): AuditFault | undefined {
  let previous: string | null = null;
  for (const [index, entry] of entries.entries()) {
    const message = brokenSeal(seals, previous, entry, index);
    if (message !== undefined) return { index, message };
    previous = entry.seal;
  }
  return undefined;
}

/** What is wrong with an entry's seal, as text; `undefined` if it is valid. */
export function brokenSeal(
  seals: Seals,
  previous: string | null,
  { seal, ...facts }: SealedEntry,
  index: number,
): string | undefined {
  const fits = seals.fits(seal, previous, facts);
  if (fits === undefined) {
    return `Entry ${index + 1} was sealed with the key "${idOf(seal)}", which was not given.`;
  }
  if (fits) return undefined;
  return index === 0
    ? 'Entry 1 was changed, or what came before it is missing, or this is not the key it was sealed with.'
    : `Entry ${index + 1} was changed or moved, or what came before it is missing.`;
}

function wordsOf(fault: unknown): string {
  const { type, event, seq, toolCallId }: Record<string, unknown> = { ...(fault as object) };
  const why = type === 'unsealed' ? 'without a seal' : 'whose seal does not fit';
  return `an event ${why}: ${event} (event ${seq}, call ${toolCallId ?? '?'})`;
}
