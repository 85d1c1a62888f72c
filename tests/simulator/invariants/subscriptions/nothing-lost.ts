import { type Invariant, tally } from '../invariant.ts';
import { keyOf, maySee, reportedBy, subscribersOf } from './facts.ts';

/**
 * What happened while a subscription existed was delivered, or is dead, once everything has recovered (ADR 0043). Questions that
 * were open when it began count as well.
 */
export const nothingLost: Invariant = {
  name: 'a subscriber receives each event, or it is dead',
  check(history) {
    const { verify, result } = tally();
    const { undelivered } = history;
    if (!undelivered) return result();
    const reported = reportedBy(history);
    for (const { subscriber, deliveries } of subscribersOf(history)) {
      const began = history.subscriptions.get(subscriber.id)?.moment;
      if (began === undefined) continue;
      const accepted = new Set(
        deliveries.filter(({ received }) => received?.verdict === 'accepts').map(({ event }) => keyOf(event)),
      );
      const gone = new Set(
        undelivered.dead.filter((dead) => dead.subscriber === subscriber.id).map(({ eventId }) => eventId),
      );
      const dead = new Set(
        deliveries.filter(({ event }) => gone.has(event.id)).map(({ event }) => keyOf(event)),
      );
      const ends = new Map(
        reported.flatMap(({ type, lane, written }) =>
          type === 'question.settled' || type === 'question.withdrawn' ? [[lane, written.moment]] : [],
        ),
      );
      for (const { key, type, chatId, lane, written } of reported) {
        const { moment, at } = written;
        const isOpenThen = type === 'question.opened' && (ends.get(lane) ?? Number.POSITIVE_INFINITY) > began;
        if (moment < began && !isOpenThen) continue;
        if (at >= undelivered.since || history.isGone(chatId, moment)) continue;
        if (!(subscriber.events?.includes(type) ?? true) || !maySee(history, subscriber, chatId)) continue;
        verify(
          !accepted.has(key) &&
            !dead.has(key) &&
            `${subscriber.id} never received ${key}, and it is not dead`,
        );
      }
    }
    verify(undelivered.waiting.length > 0 && `never delivered: ${undelivered.waiting.join('; ')}`);
    return result();
  },
};
