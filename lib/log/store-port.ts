import type { Question, QuestionState } from '../protocol/approval/approvals.ts';
import type { Grant, UsedGrant } from '../protocol/approval/grants.ts';
import type { Page } from '../protocol/chat.ts';
import type { FlowEvent } from '../protocol/events.ts';
import type { ApprovalId, ChatId, GrantId, RunId, ToolCallId } from '../protocol/ids/ids.ts';
import type { ChatStatus } from '../protocol/wire/chat/chat-status.ts';
import type { InsightsStore } from './insights-port.ts';
import type { SubscriptionStore } from './subscription-port.ts';

/** The clock of a database server, read from here. It is estimated between measures, so reading it costs no query. */
export type StoreClock = {
  /**
   * Epoch milliseconds; `undefined` while it is not reliably known: not measured yet, measured too long ago,
   * or this machine was suspended.
   */
  now(): number | undefined;
  /**
   * Makes it known, by querying the server if necessary.
   *
   * @throws CountersignError `internal` like any other method of the store
   */
  measure(): Promise<void>;
};

/**
 * The head of a chat: what must be known before its log is read. Written with each append, except for
 * `ownerId`, `title` and `createdAt`, which only the first append sets: a head that was read before a
 * `rename` cannot undo it.
 */
export type ChatHead = {
  readonly id: ChatId;
  readonly ownerId: string;
  readonly title: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** `seq` of the last event. */
  readonly seq: number;
  /** `seq` of the first event of the open (or last) turn: answering reads from here. */
  readonly turnSeq: number;
  readonly status: ChatStatus;
  /** The run that is active, or was last. */
  readonly runId: RunId | null;
  readonly open: ApprovalId | null;
  /** The seal of the chat's last audit entry; `null` before the first. */
  readonly auditHead: string | null;
};

/** Who executes the chat's active run, and until when no other instance may append (epoch milliseconds). */
export type Lease = { readonly owner: string; readonly until: number };

/**
 * What a tool call does: `digest` is equal for calls of the same tool with the same arguments. Kept beside the log, so
 * that a repeated call is found without reading logs.
 */
export type CallMark = {
  readonly toolCallId: ToolCallId;
  /** At most 128 characters of ASCII. */
  readonly digest: string;
  /** The person whose message led to the call. */
  readonly askerId: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

/**
 * One running process. `outdated` names stored items with which this process disagrees (for example an open
 * question whose tool has changed), each with the time since then, in epoch milliseconds.
 */
export type Instance = {
  readonly id: string;
  /** The instance counts as live before this time, in epoch milliseconds. */
  readonly until: number;
  readonly outdated: Readonly<Record<string, number>>;
};

/** A part of the text of a large result. @source ADR 0042 */
export type ResultPart = {
  readonly chatId: ChatId;
  /** `createdAt` of the chat, because the id of an erased chat may be used again. */
  readonly createdAt: number;
  /** Unique in the chat; at most 300 characters. */
  readonly resultId: string;
  /** Counts from 0. */
  readonly index: number;
  /** At most 65,536 characters. */
  readonly text: string;
};

/** What was kept of an erased chat. `record` is the text that `erase` was given. Times are epoch milliseconds. */
export type KeptRecord = {
  readonly chatId: ChatId;
  readonly erasedBy: string;
  readonly erasedAt: number;
  readonly record: string;
};

/** Events that belong together, with the rows they change. All of it, or nothing, becomes durable. */
export type Append = {
  /**
   * A unique name of this batch. If an append is repeated with the same `id` because its result was lost, the
   * result is `'appended'` when an earlier attempt was written. Without an `id`, a repeated append is not
   * recognized.
   */
  readonly id?: string;
  readonly chatId: ChatId;
  /** The `seq` that this batch follows: 0 creates the chat. */
  readonly after: number;
  /** At least one; `seq` continues from `after` without gaps. */
  readonly events: readonly FlowEvent[];
  readonly head: ChatHead;
  /** Questions opened or settled by these events. */
  readonly questions: readonly Question[];
  /** Approvals to remember. Each key is kept only once. */
  readonly grants?: readonly Grant[];
  /** Remembered approvals that these events use; each counts as used, at the `at` of the last event. */
  readonly uses?: readonly GrantId[];
  /**
   * What the calls of these events do. Only the first mark of a call in its chat counts; later ones have no
   * effect.
   */
  readonly calls?: readonly CallMark[];
  /**
   * The `seq` of events that subscriptions report, and that cannot be derived from a question as it is now. Recorded in the feed
   * while the store has a subscription.
   *
   * @source ADR 0043
   */
  readonly notices?: readonly number[];
  /**
   * Taken with `run-started`, `null` with a run's end, `undefined`: unchanged. It may end as much later than `until` as the append
   * waited in the store.
   */
  readonly lease?: Lease | null;
  /** The instance that appends: refused when another's lease lasts beyond `now`. */
  readonly owner: string;
  /** When it appends, in epoch milliseconds. Missing: the `at` of the last event. */
  readonly now?: number;
};

/** The result of a batch. @see FlowStore.append */
export type AppendResult = 'appended' | 'conflict' | 'revoked' | 'stopped';

/** A question with its place in the feed of changes. */
export type QuestionChange = { readonly change: number; readonly question: Question };

/** A page that may be shortened: for each item, the cursor of the items that follow it. */
export type PlacedPage<Item> = Page<Item> & { readonly cursors: readonly string[] };

/** Something happened to a chat: its log grew, or its active run was asked to stop. Carries no content. */
export type StoreChange = {
  readonly chatId: ChatId;
  readonly reason: 'append' | 'stop' | 'erase' | 'release';
  /** With `append`: the `seq` that the log has grown to. Missing when the store cannot say. */
  readonly seq?: number;
};

/**
 * The log and its indexes. Each chat's log is append-only; an append is compare-and-set on its `seq`.
 * Every implementation passes one contract suite (`tests/contract`).
 *
 * Methods throw CountersignError `internal` when the database fails. Its `transient` is true when the same call may
 * succeed later: the database is locked, full, read-only or not reachable.
 */
export type FlowStore = {
  /**
   * The clock that all instances share. Leases, deadlines and the times of events are read from it. Missing: they are
   * read from the clock of each instance, so all instances must be on one machine.
   *
   * @source ADR 0013
   */
  readonly clock?: StoreClock;
  /** Missing: the flow refuses the setting `subscriptions`. */
  readonly subscriptions?: SubscriptionStore;
  /** Missing: the flow refuses `insights`. @source ADR 0052 */
  readonly insights?: InsightsStore;
  /**
   * Makes a batch durable. Nothing is written on `conflict`: `after` is no longer the head, the chat is a
   * different one that reuses the id of an erased chat (its `createdAt` differs), a claim (`claimOf`) is
   * taken, another instance holds the lease, or an import begins (`chat-imported`) whose chat id was erased
   * before. `revoked`: nothing is written because a grant in `uses` has been revoked. `stopped`: nothing is
   * written because the batch starts a call or asks a question (`tool-started`, `approval-requested`,
   * `run-suspended`) for a run with an acknowledged `requestStop`. If several reasons apply, the first one is
   * returned.
   *
   * @throws CountersignError `internal` for a batch that contradicts itself (gaps in `seq`, a foreign head)
   */
  append(batch: Append): Promise<AppendResult>;
  /** Events with `seq > after`, in order. At most `limit`, when given. */
  read(chatId: ChatId, after: number, limit?: number): Promise<FlowEvent[]>;
  head(chatId: ChatId): Promise<ChatHead | undefined>;
  /**
   * An owner's chats, last changed first. `openCount` counts their open questions. A chat that changes while
   * pages are read moves to the front: never returned twice, but possibly missed.
   */
  chats(query: {
    ownerId: string;
    cursor?: string;
    limit: number;
  }): Promise<Page<ChatHead & { openCount: number }>>;
  /** Chats without an active run that were last changed before a time, the oldest first. */
  staleChats(before: number, limit: number): Promise<ChatId[]>;
  /**
   * Chats without an active run that were last changed at or after `since` and have an `auditHead`, oldest change
   * first. A chat that changes while pages are read moves to the end: it is in one of the pages at least once.
   *
   * @param since epoch milliseconds
   */
  restingHeads(since: number, limit: number, cursor?: string): Promise<Page<ChatHead>>;
  /**
   * Chats without an active run that were last changed at or after `since`, oldest change first. A chat that changes while
   * pages are read moves to the end, so a page may list it again. Optional: without it, `flow.rehearsal.run` throws.
   *
   * @param query.since epoch milliseconds
   */
  chatsChangedSince?(query: { since: number; cursor?: string; limit: number }): Promise<Page<ChatHead>>;
  /** Changes the title, and not `updatedAt`. Nothing when there is no such chat. */
  rename(chatId: ChatId, title: string): Promise<void>;
  /**
   * Gives what is kept under one principal's id to another: chats with their questions and call marks, and
   * remembered approvals, with their keys as they are. Changes no event, no `updatedAt` and no feed. If it
   * fails, part of the work may be done. Repeating it does the rest, and nothing if nothing is left.
   */
  reassign(from: string, to: string): Promise<void>;
  /**
   * Deletes the chat, its log, its questions, its call marks and the grants that are for it alone; keeps a row without
   * content that says who erased it, and when. Its questions are gone from the feed of changes too: inboxes learn of
   * it by the notification. Nothing happens when there is no such chat. A chat id can be used and erased several times.
   *
   * @param record any text, kept in the same transaction; `keptRecords` returns it
   * @param seq what the record covers: nothing happens when the chat's last event is another one
   */
  erase(chatId: ChatId, by: string, at: number, record?: string, seq?: number): Promise<void>;
  /** When a chat with this id was erased last, in epoch milliseconds. `undefined` if it never was. */
  erasedAt(chatId: ChatId): Promise<number | undefined>;
  /** Records kept of erased chats, newest erasure first. Without `chatId`: of all chats. */
  keptRecords(query: { chatId?: ChatId; cursor?: string; limit: number }): Promise<PlacedPage<KeptRecord>>;
  /**
   * Deletes the texts of kept records: of one chat, or of all chats erased before a time (epoch milliseconds). Who
   * erased each chat, and when, stays.
   *
   * @returns how many were deleted
   */
  dropRecords(query: { chatId: ChatId } | { before: number }): Promise<number>;
  /**
   * Stores a part of a large result. The part is deleted with its chat. Storing the same part again replaces it. Optional, together
   * with `resultPart`: without both, results of `largeResult` are not kept.
   *
   * @returns false, and stores nothing, if there is no such chat
   * @source ADR 0042
   */
  addResultPart?(part: ResultPart): Promise<boolean>;
  /** The text of a part; `undefined` if there is none. */
  resultPart?(query: Pick<ResultPart, 'chatId' | 'resultId' | 'index'>): Promise<string | undefined>;
  question(id: ApprovalId): Promise<Question | undefined>;
  /** Oldest first. Without `ownerId`: of all owners. */
  questions(query: {
    state: QuestionState;
    ownerId?: string;
    cursor?: string;
    limit: number;
  }): Promise<PlacedPage<Question>>;
  /**
   * Questions that are no longer open, most recently asked first. Without `ownerId`: of all owners. Optional:
   * without it, the flow refuses to list them.
   *
   * @param query.before only those asked before this time, in epoch milliseconds; a cursor is past it
   */
  settledQuestions?(query: {
    ownerId?: string;
    before?: number;
    cursor?: string;
    limit: number;
  }): Promise<PlacedPage<Question>>;
  /** Open questions whose deadline is at or before `now`, the longest due first. */
  dueQuestions(now: number, limit: number): Promise<Question[]>;
  /**
   * Open questions whose `escalation.nextAt` is at or before `now`, the longest due first. Optional: without it, the flow refuses
   * the setting `escalation`.
   *
   * @source ADR 0048
   */
  questionsToEscalate?(now: number, limit: number): Promise<Question[]>;
  /** Changes of questions after a place in the feed, oldest first; each question appears once, as it is now. */
  questionChanges(after: number, limit: number): Promise<QuestionChange[]>;
  /** The newest place in the feed of changes; 0 if there is none. */
  lastQuestionChange(): Promise<number>;
  /**
   * Calls that were marked with this digest at or after `since` (epoch milliseconds), in this chat or for this asker,
   * newest first. Costs one index entry for each call with the digest since then, by any person.
   */
  recentCalls(query: {
    digest: string;
    chatId: ChatId;
    askerId: string;
    since: number;
    limit: number;
  }): Promise<readonly (CallMark & { readonly chatId: ChatId })[]>;
  /** The grants with these keys, in no order. */
  grants(keys: readonly string[]): Promise<Grant[]>;
  /** What a person had remembered, the newest first. */
  grantsOf(query: { personId: string; cursor?: string; limit: number }): Promise<Page<UsedGrant>>;
  /** Revokes a grant of this person. False if the person has none with this id. */
  revoke(id: GrantId, personId: string): Promise<boolean>;
  /**
   * Extends a lease that the caller holds, or takes an expired one (`until` is not after `now`). A lease whose `until`
   * has passed is released; subscribers are notified (`release`). False if another instance holds it, or if there is none:
   * a late heartbeat must not revive a run that has ended.
   */
  claimLease(chatId: ChatId, lease: Lease, now: number): Promise<boolean>;
  /** Chats whose active run has an expired lease, the longest expired first. */
  orphans(now: number): Promise<ChatId[]>;
  /**
   * Asks the owner of this run to stop it. Not an event, because only the owner appends. Once this resolves, `append`
   * refuses to start a call or to ask a question for the run, even if the run begins later. Nothing is kept when
   * there is no such chat.
   */
  requestStop(chatId: ChatId, runId: RunId): Promise<void>;
  stopRequested(chatId: ChatId, runId: RunId): Promise<boolean>;
  /**
   * Records that an instance is live, or still is, and forgets those whose `until` has come.
   *
   * @param instance replaces what the same `id` announced before
   * @param now epoch milliseconds
   * @returns all live instances in no order, including this one
   */
  announce(instance: Instance, now: number): Promise<readonly Instance[]>;
  /** Forgets an instance. Nothing happens when it is unknown. */
  retire(id: string): Promise<void>;
  /**
   * 32 random bytes or more, made once and kept with the data: every instance on the same data gets the same. The flow
   * encrypts with it the cursors that clients are given.
   */
  cursorKey(): Promise<Uint8Array>;
  /** Calls back soon after a change, never within it, in order. Returns a function that ends it. */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Every later call rejects. */
  close(): Promise<void>;
};
