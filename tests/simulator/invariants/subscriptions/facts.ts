import type { FlowEvent } from '../../../../lib/protocol/index.ts';
import { canonicalJson, flowLogId } from '../../../../lib/protocol/index.ts';
import type { EventType, SubscriptionEvent } from '../../../../lib/protocol/wire/subscription-event.ts';
import type { History, Written } from '../../history.ts';
import type { Delivery } from '../../subscriptions/delivery.ts';
import type { SubscriberProfile } from '../../subscriptions/profile.ts';

/** An event that subscribers are to receive, as the log of a chat has it. */
export type Reported = {
  /** The same for each copy. */
  readonly key: string;
  readonly type: EventType;
  readonly chatId: string;
  /** Events with the same name are delivered in order. */
  readonly lane: string;
  readonly written: Written;
};

/** The chat that an event is about, and what in it. */
export function subjectOf({ data }: SubscriptionEvent): {
  readonly chatId: string;
  readonly subject: string;
} {
  if ('question' in data) return { chatId: data.question.chatId, subject: data.question.id };
  return { chatId: data.chatId, subject: 'runId' in data ? data.runId : data.toolCallId };
}

type Identified = { type: EventType; chatId: string; subject: string; says?: unknown };

function keyFrom({ type, chatId, subject, says }: Identified): string {
  return `${type} ${chatId} ${subject}${says === undefined ? '' : ` ${canonicalJson(says)}`}`;
}

/** What identifies an event, whatever its id is. */
export function keyOf(event: SubscriptionEvent): string {
  const { chatId, subject } = subjectOf(event);
  const { data } = event;
  return keyFrom({ type: event.type, chatId, subject, says: 'plugin' in data ? data.says : undefined });
}

/** Everything that the logs report to subscribers, except what is due soon, in the order of each log. */
export function reportedBy(history: History): Reported[] {
  const chats = new Set([...history.erasedLogs.keys(), ...history.logs.keys()]);
  chats.delete(flowLogId);
  return [...chats].flatMap((chatId) =>
    history.logOf(chatId).flatMap((written) => {
      const named = reportOf(written.event);
      if (!named) return [];
      const { type, subject, isQuestion, says } = named;
      const lane = isQuestion ? `question ${subject}` : `chat ${chatId}`;
      const key = keyFrom({ type, chatId, subject, says });
      return [{ key, type, chatId, lane, written }];
    }),
  );
}

type Report = { type: EventType; subject: string; isQuestion?: true; says?: unknown };

function reportOf(event: FlowEvent): Report | undefined {
  switch (event.type) {
    case 'approval-requested':
      return { type: 'question.opened', subject: event.approvalId, isQuestion: true };
    case 'approval-answered':
      return { type: 'question.settled', subject: event.approvalId, isQuestion: true };
    case 'approval-withdrawn':
      return { type: 'question.withdrawn', subject: event.approvalId, isQuestion: true };
    case 'plugin-event':
      return event.isNotice
        ? { type: `question.${event.name}`, subject: event.approvalId, isQuestion: true, says: event.says }
        : undefined;
    case 'run-completed':
    case 'run-cancelled':
      return { type: 'turn.ended', subject: event.runId };
    case 'run-failed':
      return { type: 'turn.failed', subject: event.runId };
    case 'tool-failed':
      return event.outcome === 'unknown' ? { type: 'outcome.unknown', subject: event.toolCallId } : undefined;
    default:
      return undefined;
  }
}

/** Whether a subscriber may see what happens in a chat. */
export function maySee({ owners }: History, { principal }: SubscriberProfile, chatId: string): boolean {
  return principal === undefined || owners.get(chatId) === principal;
}

/** The subscribers of a schedule, with what was delivered to each. */
export function subscribersOf(
  history: History,
): { readonly subscriber: SubscriberProfile; readonly deliveries: readonly Delivery[] }[] {
  const { subscribers = [] } = history.profile.subscriptions ?? {};
  return subscribers.map((subscriber) => ({
    subscriber,
    deliveries: history.deliveries.filter((each) => each.subscriber === subscriber.id),
  }));
}

/** Whether a delivery is over for its event: the receiver has it, or is gone. */
export function isSettledBefore({ received }: Delivery, moment: number): boolean {
  if (!received || received.moment >= moment) return false;
  return received.verdict === 'accepts' || received.verdict === 'gone';
}
