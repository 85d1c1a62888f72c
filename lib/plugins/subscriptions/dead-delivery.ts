import type { ChatId } from '../../protocol/index.ts';

/** A delivery that was given up. Times are epoch milliseconds. @source ADR 0043 */
export type DeadDelivery = {
  /** The id of the subscriber. */
  readonly subscriber: string;
  /** The id of the event, the same for each attempt. */
  readonly eventId: string;
  readonly type: string;
  readonly chatId: ChatId;
  readonly attempts: number;
  /** When the first attempt failed. */
  readonly failedAt: number;
  readonly deadAt: number;
  /** Why the last attempt failed. */
  readonly error: string;
};
