import type {
  FeedPage,
  PlacedNotice,
  PlacedQuestion,
  SubscriptionState,
  Undelivered,
} from '../log/store/index.ts';
import type { ApprovalId, ChatId, FlowEvent, Question } from '../protocol/index.ts';
import { exactText } from './row-text.ts';
import { type Row, toEvent } from './rows.ts';

export function toSubscription(row: Row): SubscriptionState {
  return { place: Number(row.place), began: Number(row.began), dueThrough: Number(row.due_through) };
}

export function toLeasedSubscription(row: Row): SubscriptionState & { owner: string; until: number } {
  const owner = JSON.parse(String(row.lease_owner));
  return { ...toSubscription(row), owner, until: Number(row.lease_until) };
}

export function toPlacedQuestion(row: Row, toQuestion: (row: Row) => Question): PlacedQuestion {
  return { place: Number(row.place), opened: Number(row.opened), question: toQuestion(row) };
}

export function toNotice(row: Row): PlacedNotice {
  const { chat_id: chatId, owner } = row as { chat_id: ChatId; owner: string };
  const opened = row.opened === null ? {} : { opened: Number(row.opened) };
  return { place: Number(row.place), ...opened, chatId, ownerId: JSON.parse(owner), event: toEvent(row) };
}

export function questionOfNotice(events: readonly FlowEvent[], seq: number): ApprovalId | undefined {
  const event = events.find((each) => each.seq === seq);
  return event && 'approvalId' in event ? event.approvalId : undefined;
}

/** Joins the two lists of a feed up to the end of a full one. @param last the newest place when they were read */
export function feedPage(
  questions: readonly PlacedQuestion[],
  notices: readonly PlacedNotice[],
  { last, limit }: { readonly last: number; readonly limit: number },
): FeedPage {
  const full = [questions, notices].filter(({ length }) => length >= limit);
  const through = Math.min(last, ...full.map((list) => list.at(-1)?.place ?? last));
  const items = [...questions, ...notices].filter(({ place }) => place <= through);
  return { items: items.sort((a, b) => a.place - b.place), through, isFull: full.length > 0 };
}

type Body = Pick<Undelivered, 'reference' | 'attempts' | 'failedAt' | 'error'>;

/** What a row of `undelivered` has besides its own columns, as JSON. */
function undeliveredBody({ reference, attempts, failedAt, error }: Body): string {
  return JSON.stringify({ reference, attempts, failedAt, error });
}

/** The first columns of a row of `undelivered`. */
export function undeliveredColumns(
  one: Undelivered,
): [string, string, string, number, number | null, string] {
  const { subscriber, id, lane, dueAt, deadAt = null } = one;
  return [exactText(subscriber), exactText(id), exactText(lane), dueAt, deadAt, undeliveredBody(one)];
}

export function toUndelivered(row: Row): Undelivered {
  const { subscription, id, lane, body } = row as Record<'subscription' | 'id' | 'lane' | 'body', string>;
  return {
    subscriber: JSON.parse(subscription),
    id: JSON.parse(id),
    lane: JSON.parse(lane),
    dueAt: Number(row.due_at),
    ...(row.dead_at !== null && { deadAt: Number(row.dead_at) }),
    ...JSON.parse(body),
  };
}

/** The body of a dead delivery that is due again. */
export function revivedBody(row: Row): string {
  return undeliveredBody({ reference: toUndelivered(row).reference, attempts: 0 });
}
