import type { ChatId } from '../../protocol/ids/ids.ts';
import type { Append, AppendResult } from './append.ts';
import type { CallStore } from './calls.ts';
import type { ChatStore, EventStore } from './chats.ts';
import type { StoreClock } from './clock.ts';
import type { ErasureStore } from './erasures.ts';
import type { InstanceStore } from './instances.ts';
import type { QuestionStore } from './questions.ts';
import type { RecordStore } from './records.ts';
import type { ResultStore } from './results.ts';
import type { RunStore } from './runs.ts';
import type { SubscriptionStore } from './subscriptions.ts';

/** Something happened to a chat: its log grew, or its active run was asked to stop. Carries no content. */
export type StoreChange = {
  readonly chatId: ChatId;
  readonly reason: 'append' | 'stop' | 'erase' | 'release';
  /** With `append`: the `seq` that the log has grown to. Missing when the store cannot say. */
  readonly seq?: number;
};

/**
 * The log and its indexes. Each chat's log is append-only; an append is compare-and-set on its `seq`.
 * Every implementation passes one contract suite (`tests/contract`). A group that may be missing belongs to a feature.
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
  /**
   * Makes a batch durable. Nothing is written on `conflict`: `after` is no longer the head, the chat is a
   * different one that reuses the id of an erased chat (its `createdAt` differs), a claim (`claimOf`) is
   * taken, another instance holds the lease, or an import begins (`chat-imported`) whose chat id was erased
   * before. `stopped`: nothing is written because the batch starts a call or asks a question (`tool-started`, `approval-requested`,
   * `run-suspended`) for a run with an acknowledged `requestStop`. If several reasons apply, the first one is
   * returned. `unexpected`: nothing is written because a record is not as `records` expect.
   *
   * @throws CountersignError `internal` for a batch that contradicts itself (gaps in `seq`, a foreign head)
   */
  append(batch: Append): Promise<AppendResult>;
  /** Calls back soon after a change, never within it, in order. Returns a function that ends it. */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /**
   * 32 random bytes or more, made once and kept with the data: every instance on the same data gets the same. The flow
   * encrypts with it the cursors that clients are given.
   */
  cursorKey(): Promise<Uint8Array>;
  /** Every later call rejects. */
  close(): Promise<void>;
  readonly chats: ChatStore;
  readonly events: EventStore;
  readonly questions: QuestionStore;
  readonly calls: CallStore;
  readonly results: ResultStore;
  readonly records: RecordStore;
  readonly erasures: ErasureStore;
  readonly runs: RunStore;
  readonly instances: InstanceStore;
  /** Missing: the flow refuses the setting `subscriptions`. */
  readonly subscriptions?: SubscriptionStore;
};
