import type { Auditor } from '../../log/seal/auditor.ts';
import type { ChatHead, KeptRecord } from '../../log/store/index.ts';
import { type ChatId, CountersignError, type FlowEvent, isRecord } from '../../protocol/index.ts';
import { auditEntries, type PlacedEntry } from './audit-entries.ts';

/**
 * What erasure keeps of a chat: the sealed entries of its gated calls that were executed, each with the seal
 * before it, so that each can be checked separately. Contains nothing of the conversation.
 */
export type KeptAuditRecord = {
  readonly chatId: ChatId;
  /** Who owned the chat. */
  readonly ownerId: string;
  /** The last seal of the chat's whole record; `''` when it had none. */
  readonly head: string;
  readonly entries: readonly PlacedEntry[];
};

/** A kept record, with who erased the chat (`retention`, or a person's id) and when (epoch milliseconds). */
export type ErasedChat = KeptAuditRecord & { readonly erasedBy: string; readonly erasedAt: number };

/** What erasure keeps; nothing when no gated call was executed. @param events the whole log */
export function keptRecordOf(
  { id: chatId, ownerId, auditHead }: ChatHead,
  events: readonly FlowEvent[],
  auditor: Auditor,
): KeptAuditRecord | undefined {
  const { entries } = auditEntries(chatId, events, auditor);
  const executed = new Set(entries.filter(isExecution).map(({ entry }) => entry.toolCallId));
  const kept = entries.filter(({ entry }) => executed.has(entry.toolCallId));
  return kept.length === 0 ? undefined : { chatId, ownerId, head: auditHead ?? '', entries: kept };
}

/** A start of a gated call. For calls of a client or a provider, which have no start, the approval. */
function isExecution({ entry }: PlacedEntry): boolean {
  if (entry.type === 'started') return entry.gate === undefined;
  if (entry.type === 'unknown-event' || entry.executor === undefined) return false;
  if (entry.type === 'granted') return true;
  return (entry.type === 'answered' || entry.type === 'decided') && entry.approved;
}

/** @throws CountersignError `internal` for a text that is not a kept record */
export function parseKeptRecord({ chatId, erasedBy, erasedAt, record }: KeptRecord): ErasedChat {
  const parsed: unknown = JSON.parse(record);
  if (isRecord(parsed) && Array.isArray(parsed.entries) && typeof parsed.ownerId === 'string') {
    const { ownerId, entries, head } = parsed as KeptAuditRecord;
    return { chatId, ownerId, head, entries, erasedBy, erasedAt };
  }
  throw new CountersignError('internal', `The record that was kept of chat ${chatId} cannot be read.`, {
    chatId,
  });
}
