import type { SubscriptionStore } from '../../../log/store/index.ts';
import { lastPlace, pageOf, placeBy, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import {
  feedPage,
  toLeasedSubscription,
  toNotice,
  toPlacedQuestion,
  toSubscription,
  toUndelivered,
  undeliveredColumns,
} from '../../subscription-rows.ts';
import type { Access } from '../access.ts';
import { toQuestion } from '../rows.ts';

export function postgresSubscriptions({ ask, statements }: Access): SubscriptionStore {
  return {
    state: async (id) => {
      const [row] = await ask(statements.subscription, exactText(id));
      return row && toLeasedSubscription(row);
    },

    claim: async (id, { owner, until }, now) => {
      const [row] = await ask(statements.claimSubscription, exactText(id), exactText(owner), until, now);
      return row && toSubscription(row);
    },

    feed: async (after, limit) => {
      const rows = await ask(statements.changes, after, limit);
      const inOrder = rows.toSorted((a, b) => Number(a.place) - Number(b.place));
      const last = Number(rows.find(({ chat_id }) => chat_id === null)?.place);
      const questions = inOrder.filter(({ id }) => id !== null);
      const notices = inOrder.filter(({ seq }) => seq !== null);
      return feedPage(
        questions.map((row) => toPlacedQuestion(row, toQuestion)),
        notices.map(toNotice),
        { last, limit },
      );
    },

    due: async (after, through) =>
      (await ask(statements.questionsDue, after, through)).map((row) => toPlacedQuestion(row, toQuestion)),

    commit: async ({ id, owner, until, place = 0, dueThrough = 0, put = [], drop = [] }) => {
      const rows = put.map(undeliveredColumns);
      const columns = [1, 2, 3, 4, 5].map((column) => rows.map((row) => row[column]));
      const moved = [exactText(id), exactText(owner), until, place, dueThrough, drop.map(exactText)];
      return (await ask(statements.commitDeliveries, ...moved, ...columns)).length > 0;
    },

    retries: async (id, now, limit) =>
      (await ask(statements.retries, exactText(id), now, limit)).map(toUndelivered),

    lanes: async (id, lanes) => {
      if (lanes.length === 0) return [];
      const rows = await ask(statements.lanes, exactText(id), lanes.map(exactText));
      return rows.toSorted((a, b) => Number(a.number) - Number(b.number)).map(toUndelivered);
    },

    dead: async ({ cursor, limit }) => {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      return pageOf(
        await ask(statements.dead, at, row, limit + 1),
        limit,
        toUndelivered,
        placeBy('dead_at', 'number'),
      );
    },

    revive: async (subscriber, id, now) =>
      (await ask(statements.revive, exactText(subscriber), exactText(id), now)).length > 0,

    forget: async (before) => {
      await ask(statements.forgetSubscriptions, before);
    },
  };
}
