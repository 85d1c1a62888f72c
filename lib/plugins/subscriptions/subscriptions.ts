import type { FlowClock } from '../../log/flow-clock.ts';
import type { FlowStore, SubscriptionStore } from '../../log/store/index.ts';
import { atMost } from '../../protocol/clock/sleep.ts';
import { errorFacts, type Logger } from '../../protocol/index.ts';
import type { Subscriber } from '../../protocol/subscriber.ts';
import { defaultLeaseMs, defaultStopGraceMs, defaultSweepMs } from '../../settings/default-times.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { followFeed } from './follow-feed.ts';
import { createSubscriptionLease } from './hold-lease.ts';
import { createRepeatedWork } from './repeated-work.ts';
import { retryDeliveries } from './retry-deliveries.ts';
import type { SubscriptionSettings } from './settings.ts';

/** A chat that streams changes many times in a second, mostly without anything to report. */
const quietMs = 250;
const dayMs = 24 * 3_600_000;
/** A subscription that no instance has had for so long is deleted. */
const forgottenAfterMs = 30 * dayMs;

/** What subscriptions need of a flow. */
export type SubscriptionParts = {
  readonly settings: FlowSettings;
  readonly store: FlowStore;
  readonly subscriptions: SubscriptionStore;
  readonly given: SubscriptionSettings;
  readonly clock: FlowClock;
  readonly logger: Logger;
  /** The name of this instance. */
  readonly owner: string;
};

/** The subscriptions of one instance. */
export type Subscriptions = {
  /** Delivers events until `close`. */
  start(): void;
  /** Looks for something to deliver now. */
  wake(): void;
  /** Ends deliveries, waiting at most `stopGraceMs`, and lets other instances continue. */
  close(): Promise<void>;
};

/** @source ADR 0043 */
export function createSubscriptions(parts: SubscriptionParts): Subscriptions {
  const { settings, store, clock, given } = parts;
  const all = given.subscribers.map((subscriber) => createOne(parts, subscriber));
  const wake = () => {
    for (const one of all) one.wake();
  };

  let isOver = false;
  let isWaiting = false;
  let endListening = () => {};
  const onChange = () => {
    if (isWaiting || isOver) return;
    isWaiting = true;
    clock.after(quietMs, () => {
      isWaiting = false;
      if (!isOver) wake();
    });
  };
  let cancel = () => {};
  const beat = () => {
    if (isOver) return;
    wake();
    cancel = clock.after(settings.sweepMs ?? defaultSweepMs, beat);
  };

  return {
    start() {
      if (all.length === 0) return;
      endListening = store.subscribe(onChange);
      beat();
    },
    wake,
    async close() {
      isOver = true;
      cancel();
      endListening();
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

function createOne(
  { settings, store, subscriptions, given: { baseUrl }, clock, logger, owner }: SubscriptionParts,
  subscriber: Subscriber,
): Omit<Subscriptions, 'start'> {
  const { id } = subscriber;
  const { leaseMs = defaultLeaseMs, stopGraceMs = defaultStopGraceMs } = settings;
  let isClosing = false;
  const ending = new AbortController();
  const lease = createSubscriptionLease({
    ...{ subscriptions, id, owner, leaseMs, clock },
    ended: ending.signal,
  });
  const port = {
    ...{ settings, store, baseUrl, subscriptions, subscriber, clock, logger, lease },
    isClosing: () => isClosing,
  };
  const warn = (error: unknown) =>
    logger.warn('A subscription failed. The next sweep retries.', {
      subscriber: id,
      error: errorFacts(error),
    });
  const feed = createRepeatedWork(() => followFeed(port), warn);
  const retries = createRepeatedWork(() => retryDeliveries(port), warn);

  let renewAt = 0;
  /** So that a subscription without events is not forgotten. */
  async function renew(): Promise<void> {
    const now = await clock.sure();
    if (now < renewAt) return;
    renewAt = now + dayMs;
    if (await lease.take()) await subscriptions.forget(now - forgottenAfterMs);
  }

  return {
    wake() {
      if (isClosing) return;
      const work = () => {
        if (isClosing) return;
        feed.wake();
        retries.wake();
      };
      void renew().catch(warn).then(work);
    },
    async close() {
      isClosing = true;
      await atMost(clock, stopGraceMs, Promise.all([feed.idle(), retries.idle()]));
      ending.abort();
      await lease.release().catch(warn);
    },
  };
}
