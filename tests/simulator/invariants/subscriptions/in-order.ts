import type { Delivery } from '../../subscriptions/delivery.ts';
import { type Invariant, tally } from '../invariant.ts';
import { isSettledBefore, keyOf, maySee, reportedBy, subjectOf, subscribersOf } from './facts.ts';

/** An event is not delivered before the earlier ones of its question, or of its chat, were delivered or given up (ADR 0043). */
export const inOrder: Invariant = {
  name: 'the events of a question are delivered in order',
  check(history) {
    const { verify, result } = tally();
    const reported = reportedBy(history);
    const byKey = new Map(reported.map((each) => [each.key, each]));
    const byLane = Map.groupBy(reported, ({ lane }) => lane);
    for (const { subscriber, deliveries } of subscribersOf(history)) {
      const began = history.subscriptions.get(subscriber.id)?.moment ?? 0;
      const copies = Map.groupBy(deliveries, ({ event }) => keyOf(event));
      const isOver = (key: string, moment: number) =>
        copies.get(key)?.some((copy) => isSettledBefore(copy, moment)) ?? false;
      for (const delivery of deliveries) {
        const { event, moment } = delivery;
        const place = byKey.get(keyOf(event));
        const lane = byLane.get(place?.lane ?? `question ${subjectOf(event).subject}`) ?? [];
        const earlier = lane.filter(
          ({ type, chatId, written }) =>
            // What is due soon has been opened, and nothing else precedes it.
            (place ? written.moment < place.written.moment : type === 'question.opened') &&
            (written.moment > began || type === 'question.opened') &&
            (subscriber.events?.includes(type) ?? true) &&
            maySee(history, subscriber, chatId) &&
            !history.isGone(chatId, written.moment),
        );
        const due = event.type === 'question.settled' && lateDue(deliveries, delivery);
        verify(
          ...earlier.map(
            ({ key }) => !isOver(key, moment) && `${subscriber.id} was sent ${keyOf(event)} before ${key}`,
          ),
          due && `${subscriber.id} was sent ${keyOf(due.event)} after the end of the question`,
        );
      }
    }
    return result();
  },
};

/** A reminder that was first delivered after the end of its question was. */
function lateDue(deliveries: readonly Delivery[], end: Delivery): Delivery | undefined {
  const id = subjectOf(end.event).subject;
  const due = deliveries.find(
    ({ event }) => event.type === 'question.due-soon' && subjectOf(event).subject === id,
  );
  return due && isSettledBefore(end, due.moment) ? due : undefined;
}
