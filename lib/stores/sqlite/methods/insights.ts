import type { InsightsStore } from '../../../log/store/index.ts';
import { toCountedDay } from '../../rows.ts';
import { toPlacedQuestion } from '../../subscription-rows.ts';
import type { Access } from '../access.ts';
import { toQuestion } from '../rows.ts';
import { transaction } from '../transaction.ts';

/** Counts of settled questions. */
export function sqliteInsights({ ask, db, statements }: Access): InsightsStore {
  return {
    read: (days) =>
      ask(() => ({
        // Read first: another process may write between the statements.
        place: Number(statements.countedTo.get()?.place),
        days: days.flatMap((day) => statements.countedDay.all(day).map(toCountedDay)),
      })),

    feed: (after, limit) =>
      ask(() =>
        statements.eventsOfQuestions.all(after, limit).map((row) => toPlacedQuestion(row, toQuestion)),
      ),

    write: ({ from, to, days, keepFrom }) =>
      ask(() => {
        const write = () => {
          if (statements.moveCounted.run(to, from).changes === 0) return { keep: false };
          for (const { day, counts } of days) statements.putCountedDay.run(day, counts);
          statements.forgetCountedDays.run(keepFrom);
          return { keep: true };
        };
        return transaction(db, write).keep;
      }),
  };
}
