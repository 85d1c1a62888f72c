import type { DeliveryFailure, Subscriber } from '../../lib/protocol/subscriber.ts';
import type { SubscriptionEvent } from '../../lib/protocol/wire/subscription-event.ts';

/** A subscriber that records what it gets, and fails when a test says so. */
export function recordingSubscriber(id = 'recorder', more: Partial<Subscriber> = {}) {
  /** What was delivered, in order. */
  const got: SubscriptionEvent[] = [];
  /** Every attempt. */
  const tried: SubscriptionEvent[] = [];
  const failures = new Map<string, DeliveryFailure>();
  const subscriber: Subscriber = {
    id,
    deliver: async (event) => {
      tried.push(event);
      const failure = failures.get(subjectOf(event)) ?? failures.get(event.type) ?? failures.get('all');
      if (failure) return failure;
      got.push(event);
      return undefined;
    },
    ...more,
  };
  return {
    subscriber,
    got,
    tried,
    /** Types and subjects of what was delivered, such as `question.opened pay`. */
    names: () => got.map((event) => `${event.type} ${subjectOf(event)}`),
    /** Fails attempts for `all`, for a type, or for a subject (a question's amount). */
    fail: (what: string, failure: DeliveryFailure = { failed: 'It failed.' }) => failures.set(what, failure),
    heal: () => failures.clear(),
  };
}

/** What an event is about: the arguments of the question's call, or its type. */
function subjectOf(event: SubscriptionEvent): string {
  if (!('question' in event.data)) return event.data.chatId;
  const { input } = event.data.question;
  return String((input as { amount?: number }).amount);
}
