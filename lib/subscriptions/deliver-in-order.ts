import type { Undelivered } from '../log/subscription-port.ts';
import { type Clock, errorFacts, type Logger } from '../protocol/index.ts';
import type { SubscriptionEvent } from '../protocol/wire/subscription-event.ts';
import { mapInParallel } from '../rights/map-in-parallel.ts';
import type { DeliveryFailure, Subscriber } from '../settings/subscriptions.ts';
import { type EventSource, renderEvent } from './render-event.ts';
import { afterFailure } from './retry-times.ts';

/** How many questions are delivered at the same time. */
const lanesAtOnce = 8;
const timeLimitMs = 30_000;

/** What deliveries need besides the log. */
export type DeliveryPort = EventSource & {
  readonly subscriber: Subscriber;
  readonly clock: Clock & { sure(): Promise<number> };
  readonly logger: Logger;
  /** Aborts the deliveries that are under way. */
  readonly signal: AbortSignal;
  /** No more deliveries begin. */
  readonly isClosing: () => boolean;
};

/** What was kept and what was not, for `SubscriptionStore.commit`. */
export type Delivered = { readonly put: readonly Undelivered[]; readonly drop: readonly string[] };

/**
 * Delivers, for each lane in order: after the first failure, the rest of the lane waits. A dead delivery does not hold up
 * the rest. Other lanes are not affected.
 *
 * @returns `put`: what is to be kept; `drop`: the ids of what was delivered, or concerns nothing that the subscriber may see
 * @source ADR 0043.4
 */
export async function deliverInOrder(port: DeliveryPort, events: readonly Undelivered[]): Promise<Delivered> {
  const lanes = [...Map.groupBy(events, ({ lane }) => lane).values()];
  const results = await mapInParallel(lanes, lanesAtOnce, (lane) => deliverLane(port, lane));
  return { put: results.flatMap(({ put }) => put), drop: results.flatMap(({ drop }) => drop) };
}

async function deliverLane(port: DeliveryPort, lane: readonly Undelivered[]): Promise<Delivered> {
  const put: Undelivered[] = [];
  const drop: string[] = [];
  for (const [index, event] of lane.entries()) {
    if (port.isClosing() || port.signal.aborted) return { put: [...put, ...lane.slice(index)], drop };
    const failure = await attempt(port, event);
    if (!failure) {
      drop.push(event.id);
      continue;
    }
    const kept = afterFailure(event, failure, await port.clock.sure());
    put.push(kept);
    logFailure(port, kept);
    if (kept.deadAt === undefined) return { put: [...put, ...lane.slice(index + 1)], drop };
  }
  return { put, drop };
}

/** @returns `undefined` if the event was delivered, or there is nothing to deliver */
async function attempt(port: DeliveryPort, tried: Undelivered): Promise<DeliveryFailure | undefined> {
  const { subscriber, clock, logger, signal } = port;
  const event = await renderEvent(port, subscriber, tried);
  if (!event) return undefined;
  const limit = new AbortController();
  const late = Promise.withResolvers<DeliveryFailure>();
  const cancel = clock.after(timeLimitMs, () => {
    limit.abort();
    late.resolve({ failed: 'It took longer than 30 seconds.' });
  });
  try {
    const delivering = deliver(subscriber, event, [signal, limit.signal]);
    delivering.catch(() => {});
    return await Promise.race([delivering, late.promise]);
  } catch (error) {
    const facts = { subscriber: subscriber.id, eventId: tried.id, error: errorFacts(error) };
    logger.warn('A subscriber threw an error.', facts);
    return { failed: 'The subscriber threw an error. See the log of the app.' };
  } finally {
    cancel();
  }
}

/** A function without a result has delivered. */
async function deliver(
  subscriber: Subscriber,
  event: SubscriptionEvent,
  signals: AbortSignal[],
): Promise<DeliveryFailure | undefined> {
  const result = await subscriber.deliver(event, { signal: AbortSignal.any(signals) });
  return result ? result : undefined;
}

function logFailure({ logger }: DeliveryPort, { deadAt, ...kept }: Undelivered): void {
  const { subscriber, id: eventId, reference, attempts, error } = kept;
  const facts = { subscriber, eventId, type: reference.type, chatId: reference.chatId, attempts, error };
  if (deadAt === undefined) logger.warn('A delivery failed. It is tried again.', facts);
  else logger.error('A delivery is given up. It can be sent again.', facts);
}
