import type { SubscriptionEvent } from '../../../../lib/protocol/wire/subscription-event.ts';
import { stranger } from '../../actors/people.ts';
import type { History } from '../../history.ts';
import type { SubscriberProfile } from '../../subscriptions/profile.ts';
import { type Invariant, tally } from '../invariant.ts';
import { keyOf, maySee, type Reported, reportedBy, subjectOf, subscribersOf } from './facts.ts';

/** A subscriber receives what the log had before, with its time and its outcome, and only what it may see (ADR 0043). */
export const asLogged: Invariant = {
  name: 'subscribers receive what the log holds, and only what they may see',
  check(history) {
    const { verify, result } = tally();
    const reported = Map.groupBy(reportedBy(history), ({ key }) => key);
    for (const { subscriber, deliveries } of subscribersOf(history)) {
      for (const { event, moment } of deliveries) {
        const found = reported.get(keyOf(event))?.find(({ written }) => written.moment < moment);
        const what = `${subscriber.id} was sent ${keyOf(event)}`;
        verify(
          event.type !== 'question.due-soon' && !found && `${what}, which no log has`,
          found && differenceOf(event, found) && `${what} with ${differenceOf(event, found)}`,
          event.type === 'question.due-soon' &&
            dueFault(history, event, moment) &&
            `${what}, which is not due`,
          !mayBeShown(history, subscriber, event) && `${what} of another person's chat`,
          showsTooMuch(subscriber, event) && `${what} with ${JSON.stringify(event.data)}`,
        );
      }
    }
    return result();
  },
};

/** In what an event differs from the log. */
function differenceOf(event: SubscriptionEvent, { written }: Reported): string | undefined {
  const { event: logged } = written;
  if (Date.parse(event.timestamp) !== logged.at) return `the time ${event.timestamp}`;
  if (event.type === 'question.settled' && logged.type === 'approval-answered') {
    const { state, answer } = event.data.question;
    if (answer?.by.id !== logged.by.id || answer.approved !== logged.approved)
      return `the answer ${JSON.stringify(answer)}`;
    if (state !== (logged.approved ? 'approved' : 'denied')) return `the state ${state}`;
  }
  if (event.type === 'question.withdrawn' && logged.type === 'approval-withdrawn') {
    const { state } = event.data.question;
    if (state !== logged.reason) return `the state ${state}`;
  }
  if (event.type === 'turn.ended') {
    const outcome = logged.type === 'run-cancelled' ? logged.reason : 'completed';
    if (event.data.outcome !== outcome) return `the outcome ${event.data.outcome}`;
  }
  return undefined;
}

/** Only an open question with a deadline is due soon. */
function dueFault(history: History, event: SubscriptionEvent, moment: number): boolean {
  const { chatId, subject } = subjectOf(event);
  return !history
    .logOf(chatId)
    .some(
      (written) =>
        written.moment < moment &&
        written.event.type === 'approval-requested' &&
        written.event.approvalId === subject &&
        written.event.deadline !== undefined,
    );
}

/** Where several people vote or delegate, anybody but a stranger may be one who answers. */
function mayBeShown(history: History, subscriber: SubscriberProfile, event: SubscriptionEvent): boolean {
  if (maySee(history, subscriber, subjectOf(event).chatId)) return true;
  return (
    'question' in event.data && history.profile.several !== undefined && subscriber.principal !== stranger
  );
}

/** Who may not see a chat learns neither why its turn failed nor what its call does. */
function showsTooMuch({ principal }: SubscriberProfile, { data }: SubscriptionEvent): boolean {
  return principal === undefined && ('error' in data || 'description' in data);
}
