import type { History } from '../../history.ts';
import { times } from '../../machine/instance.ts';
import type { Delivery } from '../../subscriptions/delivery.ts';
import { type Invariant, tally } from '../invariant.ts';
import { keyOf, subscribersOf } from './facts.ts';

/** A lease, and the calls that extend it over the slowest store. */
const lostAfterMs = times.leaseMs + 1_000;

/**
 * No two instances deliver to a subscriber at the same time, unless one of them was frozen or cut off for so long that it may have
 * lost its lease (ADR 0043).
 */
export const oneAtATime: Invariant = {
  name: 'one instance at a time delivers to a subscriber',
  check(history) {
    const { verify, result } = tally();
    for (const { subscriber, deliveries } of subscribersOf(history)) {
      for (const [place, delivery] of deliveries.entries()) {
        const rival = deliveries
          .slice(0, place)
          .find((each) => each.instance !== delivery.instance && isUnderWay(history, each, delivery.moment));
        const wasAway =
          rival && [rival, delivery].some(({ instance }) => mayHaveLost(history, instance, delivery.atMs));
        verify(
          rival &&
            !wasAway &&
            `${delivery.instance} sends ${keyOf(delivery.event)} to ${subscriber.id} while ${rival.instance} sends ${keyOf(rival.event)}`,
        );
      }
    }
    return result();
  },
};

function isUnderWay({ killed, closed }: History, { instance, ended }: Delivery, moment: number): boolean {
  const over = ended?.moment ?? killed.get(instance) ?? closed.get(instance) ?? Number.POSITIVE_INFINITY;
  return over > moment;
}

function mayHaveLost({ away }: History, instance: string, atMs: number): boolean {
  return away.some(
    (each) => each.instance === instance && each.fromMs <= atMs && (each.toMs ?? atMs) >= atMs - lostAfterMs,
  );
}
