import type { Undelivered } from '../../log/store/index.ts';
import { type EventType, eventTypes } from '../../protocol/wire/subscription-event.ts';
import { type DeliveryPort, deliverInOrder } from './deliver-in-order.ts';
import { eventsDue, eventsOfPage, type PendingEvent } from './feed-events.ts';
import type { LeaseSettings, SubscriptionLease } from './hold-lease.ts';
import { defaultDueSoonMs, pluginReports } from './settings.ts';

/** What the rounds of a subscription work with. */
export type RoundPort = Omit<DeliveryPort, 'signal'> &
  Pick<LeaseSettings, 'subscriptions' | 'clock'> & { readonly lease: SubscriptionLease };

const pageSize = 100;

/**
 * Delivers the next events of the feed, and those of questions that are due soon. What fails is kept, so the subscription
 * moves on. Nothing is written if there is nothing to deliver.
 *
 * @returns true if there is more to read now
 * @source ADR 0043.2
 */
export async function followFeed(port: RoundPort): Promise<boolean> {
  const { subscriptions, subscriber, clock, lease } = port;
  const { dueSoonMs = defaultDueSoonMs, events: types } = subscriber;
  const seen = await lease.look();
  if (!seen) return false;
  const page = await subscriptions.feed(seen.place, pageSize);
  const now = await clock.sure();
  // Later pages may have more of these questions, so they come first.
  const dueThrough = page.isFull ? seen.dueThrough : now + dueSoonMs;
  const due = page.isFull ? [] : await subscriptions.due(seen.dueThrough, dueThrough);
  const { through } = page;
  const found = [...eventsOfPage(page, seen, dueSoonMs), ...eventsDue(due, { through, dueSoonMs, now })];
  const isWanted = (type: EventType) =>
    types === undefined ||
    types.includes(type) ||
    (types.includes(pluginReports) && !eventTypes.some((known) => known === type));
  const events = found.filter(({ reference }) => isWanted(reference.type));
  if (events.length === 0 && !page.isFull) return false;

  const held = await lease.take();
  if (!held) return false;
  // Another instance has delivered meanwhile.
  if (held.state.place !== seen.place || held.state.dueThrough !== seen.dueThrough) return true;
  const results = await held.during(async (signal) => {
    const { waiting, ready } = await sorted(port, events, now);
    const { put } = await deliverInOrder({ ...port, signal }, ready);
    return [...put, ...waiting];
  });
  const committed = await held.commit({ place: through, dueThrough, put: results });
  return committed && page.isFull && !port.isClosing();
}

/** Events of a lane with an earlier event that was not delivered wait behind it. */
async function sorted(
  { subscriptions, subscriber: { id: subscriber } }: RoundPort,
  events: readonly PendingEvent[],
  now: number,
): Promise<{ readonly waiting: readonly Undelivered[]; readonly ready: readonly Undelivered[] }> {
  const kept = await subscriptions.lanes(subscriber, [...new Set(events.map(({ lane }) => lane))]);
  const blocked = new Set(kept.map(({ lane }) => lane));
  const known = new Set(kept.map(({ id }) => id));
  const fresh = events
    .filter(({ id }) => !known.has(id))
    .map((event): Undelivered => ({ ...event, subscriber, attempts: 0, dueAt: now }));
  return {
    waiting: fresh.filter(({ lane }) => blocked.has(lane)),
    ready: fresh.filter(({ lane }) => !blocked.has(lane)),
  };
}
