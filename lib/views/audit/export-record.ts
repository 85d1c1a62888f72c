import { eventsOf } from '../../log/events-of.ts';
import type { FlowLog } from '../../log/flow-log/flow-log.ts';
import { type FlowLogEntry, flowLogFacts } from '../../log/flow-log/flow-log-facts.ts';
import type { AuditEntry } from '../../log/seal/audit-entry.ts';
import type { Auditor } from '../../log/seal/auditor.ts';
import type { FlowStore } from '../../log/store/index.ts';
import { type ChatId, type FlowLogEvent, flowLogId } from '../../protocol/index.ts';
import { auditEntries, type LogFault } from './audit-entries.ts';
import { type ErasedChat, parseKeptRecord } from './kept-record.ts';

const pageSize = 100;
const rounds = 10;

/**
 * One part of an export of the whole record: what `verifyAuditStore` checks. A chat may occur again; the last
 * occurrence counts.
 */
export type AuditSection =
  | {
      readonly section: 'chat';
      readonly chatId: ChatId;
      readonly entries: readonly AuditEntry[];
      readonly head: string;
      readonly faults: readonly LogFault[];
    }
  | ({ readonly section: 'erased' } & ErasedChat)
  | { readonly section: 'flow'; readonly entries: readonly FlowLogEntry[]; readonly head: string }
  /** `sections` counts those before. An export without this end is incomplete. */
  | { readonly section: 'end'; readonly sections: number };

type RecordParts = {
  readonly store: FlowStore;
  readonly flowLog: FlowLog;
  readonly auditor?: Auditor;
};

/** The record of the whole store. Chats without a seal are not in it. */
export async function* exportRecord(parts: RecordParts): AsyncGenerator<AuditSection> {
  const { auditor } = parts;
  if (!auditor) return;
  let sections = 0;
  for await (const section of sectionsOf(parts, auditor)) {
    sections += 1;
    yield section;
  }
  yield { section: 'end', sections };
}

async function* sectionsOf(parts: RecordParts, auditor: Auditor): AsyncGenerator<AuditSection> {
  const { flowLog } = parts;
  const pending = createPending();
  let log: FlowLogEvent[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const news = await flowLog.read(log.at(-1)?.seq ?? 0);
    if (round > 0 && news.length === 0) break;
    log = [...log, ...news];
    for (const event of news) pending.take(event);
    if (round === 0) {
      for await (const chatId of restingChats(parts)) yield* chatOf(chatId);
    }
    // Active chats, and those whose heads were noted while others were read.
    for (const chatId of pending.chats()) yield* chatOf(chatId);
  }
  yield* erasedChats(parts);
  const entries = log.flatMap((event) =>
    event.seal === undefined ? [] : [{ ...flowLogFacts(event), seal: event.seal }],
  );
  yield { section: 'flow', entries, head: entries.at(-1)?.seal ?? '' };

  async function* chatOf(chatId: ChatId): AsyncGenerator<AuditSection> {
    const head = await parts.store.chats.head(chatId);
    const read = head && (await eventsOf(parts.store, chatId));
    if (!read) return;
    const events = read.filter(({ seq }) => seq <= head.seq);
    const { entries: placed, faults } = auditEntries(chatId, events, auditor);
    const entries = placed.map(({ entry }) => entry);
    pending.found(chatId, entries);
    yield { section: 'chat', chatId, entries, head: head.auditHead ?? '', faults };
  }
}

/** The noted heads that no exported record has shown yet. */
function createPending() {
  const heads = new Map<ChatId, Set<string>>();
  return {
    take(event: FlowLogEvent): void {
      if (event.type === 'chat-erased') heads.delete(event.chatId);
      if (event.type !== 'checkpoint') return;
      for (const { chatId, head } of event.heads) {
        heads.set(chatId, (heads.get(chatId) ?? new Set()).add(head));
      }
    },
    found(chatId: ChatId, entries: readonly AuditEntry[]): void {
      const wanted = heads.get(chatId);
      for (const { seal } of entries) wanted?.delete(seal);
      if (wanted?.size === 0) heads.delete(chatId);
    },
    chats: () => [...heads.keys()],
  };
}

async function* restingChats({ store }: RecordParts): AsyncGenerator<ChatId> {
  let cursor: string | undefined;
  do {
    const page = await store.chats.sealedSince(0, pageSize, cursor);
    for (const { id } of page.items) if (id !== flowLogId) yield id;
    cursor = page.next;
  } while (cursor !== undefined);
}

async function* erasedChats({ store }: RecordParts): AsyncGenerator<AuditSection> {
  let cursor: string | undefined;
  do {
    const page = await store.erasures.list({ limit: pageSize, cursor });
    for (const kept of page.items) yield { section: 'erased', ...parseKeptRecord(kept) };
    cursor = page.next;
  } while (cursor !== undefined);
}
