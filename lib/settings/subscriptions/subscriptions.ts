import type { Principal } from '../../protocol/index.ts';
import { isPrincipal, isRecord } from '../../protocol/index.ts';
import {
  duration,
  func,
  listOf,
  object,
  oneOf,
  type SettingCheck,
  text,
  unfit,
} from '../../protocol/settings.ts';
import {
  type EventType,
  eventTypes,
  type SubscriptionEvent,
} from '../../protocol/wire/subscription-event.ts';

export type { EventType, SubscriptionEvent } from '../../protocol/wire/subscription-event.ts';

/**
 * Why a delivery failed. It is tried again, with backoff, for a day.
 *
 * @source ADR 0043
 */
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
  /** Default: all types, also those of later versions. */
  readonly events?: readonly EventType[];
  /**
   * Whose rights apply: only what this principal may see is delivered. Default: the questions of all chats, as `mayWatch`
   * would show them, and of other events only ids and names.
   */
  readonly principal?: Principal;
  /** How long before its deadline a question is due soon, in milliseconds. Default 900,000 (15 minutes). */
  readonly dueSoonMs?: number;
};

/** @see Subscriber */
export const defaultDueSoonMs = 900_000;

/** The setting `subscriptions` of `createApprovalFlow`. */
export type SubscriptionSettings = {
  readonly subscribers: readonly Subscriber[];
  /**
   * The address of the app, for links in events: `<baseUrl>/inbox` and `<baseUrl>/chats/<id>`. Default: no links.
   *
   * @example 'https://approvals.example.com'
   */
  readonly baseUrl?: string;
};

const subscriberId: SettingCheck = (value, path) => {
  if (typeof value === 'string' && /^[\w.-]{1,100}$/.test(value)) return;
  unfit(path, 'must have 1 to 100 characters: letters, digits, `.`, `_` and `-`');
};

const principal: SettingCheck = (value, path) => {
  if (!isPrincipal(value)) unfit(path, 'must be a principal, with `id` and `name`');
};

const eventList: SettingCheck = (value, path) => {
  listOf(oneOf(...eventTypes))(value, path);
  if ((value as readonly unknown[]).length === 0) unfit(path, 'must name at least one event');
};

const webAddress: SettingCheck = (value, path) => {
  text()(value, path);
  const address = URL.parse(String(value));
  if (!address || !/^https?:$/.test(address.protocol))
    unfit(path, 'must be an address that begins with http or https');
  if (address.search || address.hash) unfit(path, 'must not have a query or a fragment');
};

const subscriber = object(
  {
    id: subscriberId,
    deliver: func,
    events: eventList,
    principal,
    dueSoonMs: duration(0),
  },
  ['id', 'deliver'],
);

/** Two subscribers with one id would share a place in the feed, and each event would reach only one of them. */
const subscribers: SettingCheck = (value, path) => {
  listOf(subscriber)(value, path);
  const ids = (value as readonly Subscriber[]).map(({ id }) => id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (twice !== -1) unfit(`${path}[${twice}].id`, 'is the id of another subscriber');
};

/** @param store the setting of the flow */
export function subscriptionsCheck(store: unknown): SettingCheck {
  return (value, path) => {
    object({ subscribers, baseUrl: webAddress }, ['subscribers'])(value, path);
    if (isRecord(store) && store.subscriptions !== undefined) return;
    unfit(
      path,
      'needs a store with `subscriptions`: use one of this package, or implement `SubscriptionStore`',
    );
  };
}
