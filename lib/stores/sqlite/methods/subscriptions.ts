import type { SubscriptionStore } from '../../../log/store/index.ts';
import { lastPlace, pageOf, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import {
  feedPage,
  revivedBody,
  toLeasedSubscription,
  toNotice,
  toPlacedQuestion,
  toSubscription,
  toUndelivered,
  undeliveredColumns,
} from '../../subscription-rows.ts';
import type { Access } from '../access.ts';
import { toQuestion } from '../rows.ts';
import { transaction } from '../transaction.ts';

/** Subscriptions: how far they are, what they report, and what they have not delivered. */
export function sqliteSubscriptions({ ask, db, statements }: Access): SubscriptionStore {
  const lastChange = () => Number(statements.lastChange.get()?.last);

  return {
    state: (id) =>
      ask(() => {
        const row = statements.subscription.get(exactText(id));
        return row && toLeasedSubscription(row);
      }),

    claim: (id, { owner, until }, now) =>
      ask(() => {
        const last = lastChange();
        const lease = [exactText(owner), until, now];
        const row = statements.claimSubscription.get(exactText(id), last, last, now, ...lease);
        return row && toSubscription(row);
      }),

    feed: (after, limit) =>
      ask(() => {
        // Read first: another process may write between the statements.
        const last = lastChange();
        const questions = statements.changedQuestions.all(after, last, limit);
        const notices = statements.notices.all(after, last, limit);
        return feedPage(
          questions.map((row) => toPlacedQuestion(row, toQuestion)),
          notices.map(toNotice),
          { last, limit },
        );
      }),

    due: (after, through) =>
      ask(() => statements.questionsDue.all(after, through).map((row) => toPlacedQuestion(row, toQuestion))),

    commit: ({ id, owner, until, place = 0, dueThrough = 0, put = [], drop = [] }) =>
      ask(() => {
        const write = () => {
          const name = exactText(id);
          const { changes } = statements.moveSubscription.run(
            place,
            dueThrough,
            until,
            name,
            exactText(owner),
          );
          if (changes === 0) return { keep: false };
          for (const gone of drop) statements.dropUndelivered.run(name, exactText(gone));
          for (const one of put) statements.putUndelivered.run(...undeliveredColumns(one));
          statements.forgetNotices.run();
          return { keep: true };
        };
        return transaction(db, write).keep;
      }),

    retries: (id, now, limit) =>
      ask(() => statements.retries.all(exactText(id), now, limit).map(toUndelivered)),

    lanes: (id, lanes) =>
      ask(() =>
        lanes.flatMap((lane) => statements.lane.all(exactText(id), exactText(lane)).map(toUndelivered)),
      ),

    dead: ({ cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        return pageOf(statements.dead.all(at, row, limit + 1), limit, toUndelivered, (one) => ({
          at: Number(one.dead_at),
          row: Number(one.number),
        }));
      }),

    revive: (subscriber, id, now) =>
      ask(() => {
        const revive = () => {
          const row = statements.oneDead.get(exactText(subscriber), exactText(id));
          if (!row) return { keep: false };
          statements.putUndelivered.run(
            ...[exactText(subscriber), exactText(id), String(row.lane)],
            ...[now, null, revivedBody(row)],
          );
          return { keep: true };
        };
        return transaction(db, revive).keep;
      }),

    forget: (before) =>
      ask(() => {
        transaction(db, () => {
          statements.forgetUndelivered.run(before);
          statements.forgetSubscriptions.run(before);
          return { keep: true };
        });
      }),
  };
}
