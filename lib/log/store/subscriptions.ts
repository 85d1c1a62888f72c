import type { Question } from '../../protocol/approval/approvals.ts';
import type { Page } from '../../protocol/chat.ts';
import type { FlowEvent } from '../../protocol/events.ts';
import type { ApprovalId, ChatId } from '../../protocol/ids/ids.ts';

/**
 * How far a subscription has followed the feed. Places are those of the feed of question changes; notices have places in
 * the same order.
 */
export type SubscriptionState = {
  /** Everything up to here was delivered, or is kept as undelivered. */
  readonly place: number;
  /** The newest place when the subscription was created. It reports the questions that were open then, and later events. */
  readonly began: number;
  /** Open questions with a deadline up to here have been reported as due soon. Epoch milliseconds. */
  readonly dueThrough: number;
};

/**
 * A question with its place in the feed, and the place at which it was opened. The place is that of its last change while it was
 * open, or of its end. What changes later, such as the outcome of its call, does not move it.
 */
export type PlacedQuestion = {
  readonly place: number;
  readonly opened: number;
  readonly question: Question;
};

/** An event of a chat that `Append.notices` named, with its place in the feed. */
export type PlacedNotice = {
  readonly place: number;
  /** The place at which its question was opened, if it is about one. @see PlacedQuestion.opened */
  readonly opened?: number;
  readonly chatId: ChatId;
  readonly ownerId: string;
  readonly event: FlowEvent;
};

/** A part of the feed, in order of the places, and the place that it covers. */
export type FeedPage = {
  readonly items: readonly (PlacedQuestion | PlacedNotice)[];
  /** The next page follows this place. */
  readonly through: number;
  /** More can be read now. */
  readonly isFull: boolean;
};

/** What a delivery is about, without its content, which is read from the log when it is delivered. */
export type EventReference = {
  readonly type: string;
  readonly chatId: ChatId;
} & (
  | { readonly approvalId: ApprovalId; readonly seq?: number }
  | { readonly seq: number; readonly approvalId?: undefined }
);

/** A delivery that failed, or waits for an earlier one of its lane. Times are epoch milliseconds. */
export type Undelivered = {
  /** The subscription. */
  readonly subscriber: string;
  /** The same for each attempt. */
  readonly id: string;
  /** Deliveries of one lane take place in order. */
  readonly lane: string;
  readonly reference: EventReference;
  /** How often it was tried. */
  readonly attempts: number;
  /** When the first attempt failed. */
  readonly failedAt?: number;
  /** Why the last attempt failed, in a sentence without content of the chat. */
  readonly error?: string;
  /** It is not tried before. */
  readonly dueAt: number;
  /** Present when it is not tried any more. */
  readonly deadAt?: number;
};

/** What subscriptions need of a store. A flow without subscriptions does not use it. @source ADR 0043 */
export type SubscriptionStore = {
  /** The state of a subscription and its lease; `undefined` before the first claim. */
  state(
    id: string,
  ): Promise<(SubscriptionState & { readonly owner: string; readonly until: number }) | undefined>;
  /**
   * Takes or extends the lease of a subscription. The first claim creates it: at the newest place, or before the oldest
   * change of a question that is open.
   *
   * @param lease `until` and `now` are epoch milliseconds
   * @returns `undefined` if another owner's lease lasts beyond `now`
   */
  claim(
    id: string,
    lease: { readonly owner: string; readonly until: number },
    now: number,
  ): Promise<SubscriptionState | undefined>;
  /** Changes of questions and notices after a place, consistent with each other: nothing appears later at or before `through`. */
  feed(after: number, limit: number): Promise<FeedPage>;
  /** Open questions with `after < deadline <= through`, in no order. */
  due(after: number, through: number): Promise<readonly PlacedQuestion[]>;
  /**
   * Writes the result of deliveries in one transaction. Places and times do not move back. Notices that every
   * subscription has passed are deleted.
   *
   * @param result.put replaces what is kept with the same subscriber and id; new ones follow in this order
   * @returns false, and nothing is written, if the lease belongs to another owner
   */
  commit(result: {
    readonly id: string;
    readonly owner: string;
    /** The new end of the lease. */
    readonly until: number;
    readonly place?: number;
    readonly dueThrough?: number;
    readonly put?: readonly Undelivered[];
    /** Ids of deliveries that are no longer kept. */
    readonly drop?: readonly string[];
  }): Promise<boolean>;
  /** The first delivery of each lane that is not dead and due at `now`, the longest due first. */
  retries(id: string, now: number, limit: number): Promise<readonly Undelivered[]>;
  /** The deliveries of these lanes that are not dead, each lane in order. */
  lanes(id: string, lanes: readonly string[]): Promise<readonly Undelivered[]>;
  /** Dead deliveries of all subscriptions, last given up first. */
  dead(query: { readonly cursor?: string; readonly limit: number }): Promise<Page<Undelivered>>;
  /** Makes a dead delivery due again, as if it had never been tried. False if there is none. */
  revive(subscriber: string, id: string, now: number): Promise<boolean>;
  /** Deletes subscriptions whose lease ended before a time, with what they keep. */
  forget(before: number): Promise<void>;
};
