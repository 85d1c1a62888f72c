import { isPrincipal } from '../../protocol/index.ts';
import {
  checkSettings,
  duration,
  func,
  listOf,
  nearestOf,
  object,
  type SettingCheck,
  text,
  unfit,
} from '../../protocol/settings.ts';
import type { Subscriber } from '../../protocol/subscriber.ts';
import { eventTypes } from '../../protocol/wire/subscription-event.ts';

export const defaultDueSoonMs = 900_000;

/** In a list of types: everything that plugins report about questions. */
export const pluginReports = 'question.*';

/** The settings of the plugin. */
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

/** Plugins report others. A name that is close to one of these is misspelled. */
const eventType: SettingCheck = (value, path) => {
  const name = String(value);
  if (name === pluginReports || eventTypes.some((known) => known === name)) return;
  const nearest = nearestOf(name, eventTypes);
  if (nearest || !/^question\.[a-z-]+$/.test(name)) unfit(path, 'is not an event of a subscription', nearest);
};

const eventList: SettingCheck = (value, path) => {
  listOf(eventType)(value, path);
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

/** @throws CountersignError `invalid-settings` */
export function checkSubscriptions(settings: SubscriptionSettings): void {
  checkSettings('subscriptions', settings, { subscribers, baseUrl: webAddress }, ['subscribers']);
}
