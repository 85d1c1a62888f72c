import type { Undelivered } from '../../log/store/index.ts';
import { type Clock, errorFacts, type Logger } from '../../protocol/index.ts';
import type { DeliveryFailure, Subscriber } from '../../protocol/subscriber.ts';
import type { SubscriptionEvent } from '../../protocol/wire/subscription-event.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
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

const nothing: Delivered = { put: [], drop: [] };

/**
 * Delivers, for each lane in order: after the first failure, the rest of the lane waits. A dead delivery does not hold up
 * the rest. Other lanes are not affected.
 *
 * @returns `put`: what is to be kept; `drop`: the ids of what was delivered, or concerns nothing that the subscriber may see
 * @throws CountersignError if the time is not known; no delivery is under way then
 * @source ADR 0043.4
 */
export async function deliverInOrder(port: DeliveryPort, events: readonly Undelivered[]): Promise<Delivered> {
  const lanes = [...Map.groupBy(events, ({ lane }) => lane).values()];
  const broken = new AbortController();
  const signal = AbortSignal.any([port.signal, broken.signal]);
  const results = await mapInParallel(lanes, lanesAtOnce, (lane) =>
    deliverLane({ ...port, signal }, lane).catch((error: unknown) => {
      broken.abort(error);
      return nothing;
    }),
  );
  broken.signal.throwIfAborted();
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
  const { subscriber, logger } = port;
  const failure = (error: unknown, message: string, failed: string): DeliveryFailure => {
    logger.warn(message, { subscriber: subscriber.id, eventId: tried.id, error: errorFacts(error) });
    return { failed: `${failed} See the log of the app.` };
  };
  let event: SubscriptionEvent | undefined;
  try {
    event = await renderEvent(port, subscriber, tried);
  } catch (error) {
    return failure(error, 'An event could not be read.', 'The event could not be read.');
  }
  try {
    return event && (await deliverInTime(port, event));
  } catch (error) {
    return failure(error, 'A subscriber threw an error.', 'The subscriber threw an error.');
  }
}

async function deliverInTime(
  { subscriber, clock, signal }: DeliveryPort,
  event: SubscriptionEvent,
): Promise<DeliveryFailure | undefined> {
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
