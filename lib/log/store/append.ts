import type { Question } from '../../protocol/approval/approvals.ts';
import type { FlowEvent } from '../../protocol/events.ts';
import type { ChatId } from '../../protocol/ids/ids.ts';
import type { CallMark } from './calls.ts';
import type { ChatHead } from './chats.ts';
import type { RecordWrite, UnexpectedRecord } from './records.ts';
import type { Lease } from './runs.ts';

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
  /** The store refuses the append between runs if `ownerId` is not the owner any more. A run that is active continues. */
  readonly head: ChatHead;
  /** Questions opened or settled by these events. */
  readonly questions: readonly Question[];
  /** What the calls of these events do. Only the first mark of a call in its chat counts; later ones have no effect. */
  readonly calls?: readonly CallMark[];
  /** Records of plugins that are written or deleted with these events. At most one write for each record. */
  readonly records?: readonly RecordWrite[];
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
export type AppendResult = 'appended' | 'conflict' | 'stopped' | UnexpectedRecord;
