import { type AuditKey, createSeals, type Seals } from '../../log/seal/audit-keys.ts';
import { isRecord } from '../../protocol/index.ts';
import { createConsistency } from './consistency.ts';
import { brokenChain, brokenSeal, type SealedEntry, verifyAudit } from './verify-audit.ts';

/** What a check of the whole record found. `chatId` is absent for faults of the flow's own log. */
export type StoreFault = { readonly chatId?: string; readonly message: string };

type Section = Readonly<Record<string, unknown>>;
type Noted = { readonly chatId: string; readonly head: string; readonly seq: number };

/**
 * Checks an export of the whole record (`flow.audit.export`): each chat's record, each record that erasure kept, the
 * flow's own log, and that nothing is missing. Each head that a checkpoint noted must be in its chat's record, unless
 * the chat was erased on record afterwards; what that erasure kept must be there, unless it was purged on record.
 *
 * @param key the flow's `auditKey`: one key, or a ring of keys
 * @param notedHead the head of the flow's own log in an earlier export
 * @returns all faults; empty if the record is valid
 * @throws CountersignError `invalid-settings` for a key of less than 16 characters
 * @source ADR 0023
 */
export function verifyAuditStore(
  sections: readonly unknown[],
  { key, notedHead }: { readonly key: AuditKey; readonly notedHead?: string },
): StoreFault[] {
  const seals = createSeals(key);
  const known = sections.filter(isRecord);
  const of = (name: string) => known.filter(({ section }) => section === name);
  const end = known.at(-1);
  if (end?.section !== 'end' || end.sections !== sections.length - 1) {
    return [{ message: 'The export does not say where it ends, or parts of it are gone.' }];
  }
  const chats = new Map(of('chat').map((chat) => [String(chat.chatId), chat]));
  const erased = of('erased');
  const [flow] = of('flow');
  if (!flow) return [{ message: 'The log of the flow is gone.' }];
  const log = entriesOf(flow);
  return [
    ...flowFaults(seals, log, flow.head, notedHead),
    ...[...chats].flatMap(([chatId, chat]) => chatFaults(chatId, chat, key)),
    ...erased.flatMap((record) => keptFaults(seals, record)),
    ...missingHeads(log, chats),
    ...missingRecords(log, chats, erased),
  ];
}

function flowFaults(
  seals: Seals,
  log: readonly SealedEntry[],
  head: unknown,
  notedHead?: string,
): StoreFault[] {
  const broken = brokenChain(seals, log);
  if (broken) return [{ message: `The log of the flow: ${broken.message}` }];
  if (head !== (log.at(-1)?.seal ?? ''))
    return [{ message: 'The log of the flow does not end with its head.' }];
  if (notedHead === undefined || log.some(({ seal }) => seal === notedHead)) return [];
  return [{ message: 'The log of the flow was cut: it does not reach the noted head.' }];
}

function chatFaults(chatId: string, chat: Section, key: AuditKey): StoreFault[] {
  const faults = Array.isArray(chat.faults) ? chat.faults : [];
  const entries = entriesOf(chat);
  const stranger = entries.find((entry) => entry.chatId !== chatId);
  if (stranger) return [{ chatId, message: 'The record is that of another chat.' }];
  const fault = verifyAudit(entries, { key, head: String(chat.head), faults });
  return fault ? [{ chatId, message: fault.message }] : [];
}

/** Each entry is checked separately, with the seal before it; then their content is checked together. */
function keptFaults(seals: Seals, record: Section): StoreFault[] {
  const chatId = String(record.chatId);
  const consistency = createConsistency(seals);
  for (const [index, placed] of placedEntries(record).entries()) {
    const { entry, previous } = placed;
    const broken = brokenSeal(seals, previous, entry, index);
    const message = entry.chatId === chatId ? broken : `Entry ${index + 1} is of another chat.`;
    if (message !== undefined) return [{ chatId, message: `The kept record: ${message}` }];
    const fault = consistency.fault(entry);
    if (fault !== undefined) {
      return [{ chatId, message: `The kept record: Entry ${index + 1} does not follow: ${fault}` }];
    }
  }
  return [];
}

function missingHeads(log: readonly SealedEntry[], chats: ReadonlyMap<string, Section>): StoreFault[] {
  const seals = new Map(
    [...chats].map(([id, chat]) => [id, new Set(entriesOf(chat).map(({ seal }) => seal))]),
  );
  const erasedAt = new Map<string, number>();
  const erasedHeads = new Set<unknown>();
  const noted: Noted[] = [];
  for (const entry of log) {
    const { type, seq, chatId, head, heads }: Section = { ...entry };
    if (type === 'chat-erased') {
      erasedAt.set(String(chatId), Number(seq));
      erasedHeads.add(head);
    }
    if (type !== 'checkpoint' || !Array.isArray(heads)) continue;
    for (const { chatId: id, head } of heads) noted.push({ chatId: id, head, seq: Number(seq) });
  }
  const missing = noted.filter(({ chatId, head, seq }) => {
    // An erasure is on record before it happens: the same head may be noted in between.
    const isErased = (erasedAt.get(chatId) ?? 0) > seq || erasedHeads.has(head);
    return !isErased && !seals.get(chatId)?.has(head);
  });
  return [...new Map(missing.map((each) => [each.chatId, each])).values()].map(({ chatId }) => ({
    chatId,
    message: chats.has(chatId)
      ? 'The record was cut: it does not reach a head that a checkpoint noted.'
      : 'The chat is missing: a checkpoint noted it, and no erasure is on record.',
  }));
}

function missingRecords(
  log: readonly SealedEntry[],
  chats: ReadonlyMap<string, Section>,
  erased: readonly Section[],
): StoreFault[] {
  const entries: Section[] = log.map((entry) => ({ ...entry }));
  const undone = new Set<unknown>(entries.flatMap(({ instead }) => instead ?? []));
  return entries.flatMap((entry) => {
    const { type, seq, kept, chatId, erasedAt, head } = entry;
    if (type !== 'chat-erased' || kept === 0 || undone.has(seq)) return [];
    const isThere = erased.some(
      (record) =>
        record.chatId === chatId && record.erasedAt === erasedAt && placedEntries(record).length === kept,
    );
    const isDropped = entries.some(
      (later) =>
        Number(later.seq) > Number(seq) &&
        ((later.type === 'record-purged' && later.chatId === chatId) ||
          (later.type === 'records-expired' && Number(later.before) > Number(erasedAt))),
    );
    // The process ended before it erased: the chat is still as it was then.
    const chat = chats.get(String(chatId));
    const isStillThere = chat !== undefined && entriesOf(chat).some(({ seal }) => seal === head);
    if (isThere || isDropped || isStillThere) return [];
    return [{ chatId: String(chatId), message: 'The record that was kept of the erased chat is missing.' }];
  });
}

function entriesOf({ entries }: Section): SealedEntry[] {
  return Array.isArray(entries) ? entries.filter(isSealed) : [];
}

function placedEntries({ entries }: Section): { entry: SealedEntry; previous: string | null }[] {
  if (!Array.isArray(entries)) return [];
  return entries.filter(isRecord).flatMap(({ entry, previous }) => {
    const before = typeof previous === 'string' ? previous : null;
    return isSealed(entry) ? [{ entry, previous: before }] : [];
  });
}

function isSealed(value: unknown): value is SealedEntry {
  return isRecord(value) && typeof value.seal === 'string';
}
