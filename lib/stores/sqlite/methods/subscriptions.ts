import type { SubscriptionStore } from '../../../log/store/index.ts';
import { lastPlace, pageOf, placeBy, readCursor } from '../../cursor.ts';
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
      ask(() =>
        transaction(db, () => {
          const name = exactText(id);
          const moved = [place, dueThrough, until, name, exactText(owner)];
          if (statements.moveSubscription.run(...moved).changes === 0) return false;
          for (const gone of drop) statements.dropUndelivered.run(name, exactText(gone));
          for (const one of put) statements.putUndelivered.run(...undeliveredColumns(one));
          statements.forgetNotices.run();
          return true;
        }),
      ),

    retries: (id, now, limit) =>
      ask(() => statements.retries.all(exactText(id), now, limit).map(toUndelivered)),

    lanes: (id, lanes) =>
      ask(() =>
        lanes.flatMap((lane) => statements.lane.all(exactText(id), exactText(lane)).map(toUndelivered)),
      ),

    dead: ({ cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        return pageOf(
          statements.dead.all(at, row, limit + 1),
          limit,
          toUndelivered,
          placeBy('dead_at', 'number'),
        );
      }),

    revive: (subscriber, id, now) =>
      ask(() =>
        transaction(db, () => {
          const names = [exactText(subscriber), exactText(id)];
          const row = statements.oneDead.get(...names);
          if (row) statements.putUndelivered.run(...names, String(row.lane), now, null, revivedBody(row));
          return row !== undefined;
        }),
      ),

    forget: (before) =>
      ask(() => {
        transaction(db, () => {
          statements.forgetUndelivered.run(before);
          statements.forgetSubscriptions.run(before);
        });
      }),
  };
}
