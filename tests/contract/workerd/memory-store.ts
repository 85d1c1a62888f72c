import { claimOf } from '../../../lib/log/events/event-table.ts';
import type {
  Append,
  AppendResult,
  ChatHead,
  FlowStore,
  Lease,
  StoreChange,
} from '../../../lib/log/store/index.ts';
import type { ApprovalId, ChatId, FlowEvent, Question } from '../../../lib/protocol/index.ts';
import { checkAppend } from '../../../lib/stores/check-append.ts';

type Kept = { head: ChatHead; events: FlowEvent[]; claims: Set<string>; lease: Lease | null };

const nothing = async () => undefined;
const noItems = async () => [];
const noPage = async () => ({ items: [], cursors: [] });

/**
 * The log and its questions in memory, enough for one process and a few turns. Stops, records, call marks, erasure and pages
 * are left out: a store for use passes the contract suite.
 */
export function memoryStore(): FlowStore {
  const chats = new Map<ChatId, Kept>();
  const questions = new Map<ApprovalId, Question>();
  const listeners = new Set<(wake: StoreChange) => void>();
  const cursorKey = crypto.getRandomValues(new Uint8Array(32));

  function append(batch: Append): AppendResult {
    const now = checkAppend(batch);
    const { chatId, after, head, events, owner } = batch;
    const kept = chats.get(chatId);
    const lease = kept?.lease ?? null;
    if ((kept?.head.seq ?? 0) !== after) return 'conflict';
    if (lease && lease.owner !== owner && lease.until > now) return 'conflict';
    const taken = events.flatMap((event) => claimOf(event) ?? []);
    if (taken.some((claim) => kept?.claims.has(claim))) return 'conflict';
    chats.set(chatId, {
      head: kept ? { ...head, createdAt: kept.head.createdAt } : head,
      events: [...(kept?.events ?? []), ...events],
      claims: new Set([...(kept?.claims ?? []), ...taken]),
      lease: batch.lease === undefined ? lease : batch.lease,
    });
    for (const question of batch.questions) questions.set(question.id, question);
    return 'appended';
  }

  return {
    async append(batch) {
      const result = append(batch);
      const wake = { chatId: batch.chatId, reason: 'append', seq: batch.head.seq } as const;
      if (result === 'appended') queueMicrotask(() => listeners.forEach((listener) => void listener(wake)));
      return result;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    cursorKey: async () => cursorKey,
    close: nothing,
    events: {
      async read(chatId, after, limit) {
        const events = chats.get(chatId)?.events ?? [];
        return events.slice(after, limit === undefined ? undefined : after + limit);
      },
    },
    chats: {
      head: async (chatId) => chats.get(chatId)?.head,
      list: noPage,
      stale: noItems,
      sealedSince: noPage,
      changedSince: noPage,
      rename: nothing,
      reassign: nothing,
      erase: nothing,
    },
    questions: {
      read: async (id) => questions.get(id),
      list: noPage,
      settled: noPage,
      due: noItems,
      changes: noItems,
      feed: noItems,
      lastChange: async () => 0,
    },
    runs: {
      async claimLease(chatId, lease) {
        const kept = chats.get(chatId);
        if (kept?.lease?.owner !== lease.owner) return false;
        kept.lease = lease;
        return true;
      },
      orphans: noItems,
      requestStop: nothing,
      stopRequested: async () => false,
    },
    calls: { recent: noItems },
    results: { add: async () => false, read: nothing },
    records: { write: nothing, read: noItems, list: noPage, due: noItems, drop: async () => 0 },
    erasures: { at: nothing, list: noPage, drop: async () => 0 },
    instances: { announce: noItems, retire: nothing },
  };
}
