import type { History } from '../../history.ts';
import { times } from '../../machine/instance.ts';
import type { Delivery } from '../../subscriptions/delivery.ts';
import { type Invariant, tally } from '../invariant.ts';
import { keyOf, subscribersOf } from './facts.ts';

/** An event that was accepted is sent again only if its instance may not have recorded that (ADR 0043). */
export const oneCopy: Invariant = {
  name: 'an accepted event is repeated only after a fault',
  check(history) {
    const { verify, result } = tally();
    for (const { subscriber, deliveries } of subscribersOf(history)) {
      // A subscription that has not caught up with what was open when it began may report that again.
      if ((history.subscriptions.get(subscriber.id)?.place ?? 0) > 0) continue;
      const accepted = new Map<string, Delivery>();
      for (const delivery of deliveries) {
        const key = keyOf(delivery.event);
        const before = accepted.get(key);
        verify(
          before &&
            !hadTrouble(history, before, delivery) &&
            `${delivery.instance} sends ${key} to ${subscriber.id} again, which ${before.instance} had delivered`,
        );
        if (delivery.received?.verdict === 'accepts') accepted.set(key, delivery);
      }
    }
    return result();
  },
};

/** Whether the instance of a delivery ended, was away, or could not write, between two deliveries. */
function hadTrouble(
  { killed, closed, away, commitFaults }: History,
  { instance, moment, atMs, ended }: Delivery,
  next: Delivery,
): boolean {
  const end = killed.get(instance) ?? closed.get(instance) ?? Number.POSITIVE_INFINITY;
  if (end < next.moment || ended?.how !== 'accepts') return true;
  const isFault = (each: { readonly instance: string; readonly moment: number }) =>
    each.instance === instance && each.moment > moment && each.moment < next.moment;
  if (commitFaults.some(isFault)) return true;
  // The other one may also be the one that was away. It does not know yet that it has lost the lease, and ends its delivery.
  const isConcerned = (each: { readonly instance: string }) =>
    each.instance === instance || each.instance === next.instance;
  return away.some(
    (each) =>
      isConcerned(each) && each.fromMs <= next.atMs && (each.toMs ?? next.atMs) + times.leaseMs >= atMs,
  );
}
