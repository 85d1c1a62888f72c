import type { Principal } from './principal.ts';
import type { EventType, SubscriptionEvent } from './wire/subscription-event.ts';

/** Why a delivery failed. It is tried again, with backoff, for a day. @source ADR 0043 */
export type DeliveryFailure = {
  /** One sentence, for operators. It is stored, so it must not have content of the chat. At most 500 characters are kept. */
  readonly failed: string;
  /** It is not tried again before, in milliseconds from now. */
  readonly retryAfterMs?: number;
  /** If true, it is not tried again. */
  readonly gone?: true;
};

/** @param options.signal aborts after 30 s, and if another instance takes over */
type Deliver<Result> = (
  event: SubscriptionEvent,
  options: { readonly signal: AbortSignal },
) => Promise<Result>;

/**
 * Receives the events of all chats. Each instance of the app has the same subscribers; one instance delivers.
 *
 * @source ADR 0043
 */
export type Subscriber = {
  /** Names the subscription in the store: letters, digits, `.`, `_` and `-`, at most 100. A new id is a new subscription. */
  readonly id: string;
  /**
   * Delivers an event. It is called again with the same `event.id` if it failed, and also if the process died before the
   * delivery was recorded. Events of one question come one after the other.
   *
   * If it returns nothing, the event was delivered. It returns, or throws, why it was not.
   */
  readonly deliver: Deliver<void> | Deliver<DeliveryFailure | undefined>;
  /** `question.*`: everything that plugins report about questions. Default: all types, also those of later versions. */
  readonly events?: readonly EventType[];
  /**
   * Whose rights apply: only what this principal may see is delivered. Default: the questions of all chats, as `mayWatch`
   * would show them, and of other events only ids and names.
   */
  readonly principal?: Principal;
  /** How long before its deadline a question is due soon, in milliseconds. Default 900,000 (15 minutes). */
  readonly dueSoonMs?: number;
};
