import { isNotice, type NoticeEvent } from '../../log/notices.ts';
import type { EventReference, FeedPage, PlacedQuestion, SubscriptionState } from '../../log/store/index.ts';
import type { ChatId, EventOf, FlowEvent, Question } from '../../protocol/index.ts';
import type { EventType } from '../../protocol/wire/subscription-event.ts';
import { runtime } from '../../runtime/runtime.ts';

/** An event that is to be delivered. Its content is read when it is. */
export type PendingEvent = {
  readonly id: string;
  readonly lane: string;
  readonly reference: EventReference & { readonly type: EventType };
};

/**
 * The events of a page of the feed, in order. A question appears once, as it is now, so it may have more than one event:
 * it was opened since the last page, and settled.
 *
 * A question that was opened before the subscription began is reported if it was still open then. While the subscription
 * catches up with that, a question may be reported as opened again.
 *
 * What a plugin reports about a question has a place of its own. If the question was opened since the last page, and has changed
 * again after this page, only the report shows that it was opened.
 *
 * @param dueSoonMs how long before its deadline a question is due soon
 * @source ADR 0043.3, ADR 0048.11
 */
export function eventsOfPage(
  { items }: FeedPage,
  state: SubscriptionState,
  dueSoonMs: number,
): readonly PendingEvent[] {
  const openedHere = new Set<string>();
  /** Reports once in a page that a question was opened. */
  const opening = (opened: number | undefined, question: Pick<Question, 'id' | 'chatId'>) => {
    const isReported = opened !== undefined && opened <= state.place && state.place >= state.began;
    if (isReported || openedHere.has(question.id)) return [];
    openedHere.add(question.id);
    return [questionEvent('question.opened', question)];
  };
  return items.flatMap((item) => {
    if (!('question' in item)) {
      const { event, chatId, place } = item;
      if (!isNotice(event)) return [];
      if (event.type !== 'plugin-event') return [noticeEvent(chatId, event)];
      // It belongs to a question that is reported only if it is still open, as it is now.
      if (place <= state.began) return [];
      const { approvalId: id } = event;
      return [...opening(item.opened, { id, chatId }), questionNotice(chatId, event)];
    }
    const { question } = item;
    const isOpen = question.state === 'open';
    if (item.place <= state.began && !isOpen) return [];
    const opened = opening(item.opened, question);
    if (!isOpen) return [...opened, questionEvent(endOf(question), question)];
    const isNew = openedHere.has(question.id);
    const isDue = isNew && (question.deadline ?? Number.POSITIVE_INFINITY) <= state.dueThrough;
    return [...opened, ...(isDue ? dueSoon(question, dueSoonMs) : [])];
  });
}

/**
 * The events of questions whose deadline is near, in no order. Those of questions that the feed reports later are left to it.
 *
 * @param through the place up to which the feed was read
 */
export function eventsDue(
  due: readonly PlacedQuestion[],
  { through, dueSoonMs, now }: { readonly through: number; readonly dueSoonMs: number; readonly now: number },
): readonly PendingEvent[] {
  return due.flatMap(({ opened, question }) =>
    opened > through || (question.deadline ?? 0) <= now ? [] : dueSoon(question, dueSoonMs),
  );
}

/** A question that was asked when its deadline was already near has said so. */
function dueSoon(question: Question, dueSoonMs: number): readonly PendingEvent[] {
  const { deadline, requestedAt } = question;
  if (deadline === undefined || deadline - dueSoonMs <= requestedAt) return [];
  return [questionEvent('question.due-soon', question)];
}

function endOf({ state }: Question): EventType {
  return state === 'approved' || state === 'denied' ? 'question.settled' : 'question.withdrawn';
}

/** The events of one question are delivered in order. */
function questionEvent(
  type: EventType,
  { id: approvalId, chatId }: Pick<Question, 'id' | 'chatId'>,
): PendingEvent {
  const reference = { type, chatId, approvalId };
  return { id: eventId(type, chatId, approvalId), lane: `question ${approvalId}`, reference };
}

/** What a plugin reports, in order with the other events of its question. */
function questionNotice(chatId: ChatId, event: EventOf<'plugin-event'>): PendingEvent {
  const { approvalId, seq } = event;
  const reference = { type: noticeType(event), chatId, approvalId, seq };
  return { id: noticeId(chatId, event), lane: `question ${approvalId}`, reference };
}

/** The other events of one chat are delivered in order. */
function noticeEvent(chatId: ChatId, event: NoticeEvent): PendingEvent {
  const reference = { type: noticeType(event), chatId, seq: event.seq };
  return { id: noticeId(chatId, event), lane: `chat ${chatId}`, reference };
}

/** The id of the event that a notice is delivered as. */
function noticeId(chatId: ChatId, event: NoticeEvent): string {
  if (event.type === 'plugin-event') {
    return eventId(noticeType(event), chatId, `${event.approvalId} ${event.seq}`);
  }
  const call = event.type === 'tool-failed' ? event.toolCallId : '';
  return eventId(noticeType(event), chatId, `${event.runId} ${call}`);
}

/** True if this event of a log is the one that a reference means. The chat's id may have been used again. */
export function isReferred(id: string, chatId: ChatId, event: FlowEvent | undefined): event is NoticeEvent {
  return event !== undefined && isNotice(event) && noticeId(chatId, event) === id;
}

function noticeType(event: NoticeEvent): EventType {
  const { type } = event;
  if (type === 'plugin-event') return `question.${event.name}`;
  if (type === 'tool-failed') return 'outcome.unknown';
  return type === 'run-failed' ? 'turn.failed' : 'turn.ended';
}

/** Derived, so that every attempt, on any instance, has the same id. */
function eventId(type: string, chatId: ChatId, subject: string): string {
  return `evt_${runtime.digest(JSON.stringify([type, chatId, subject]))}`;
}
