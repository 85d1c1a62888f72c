import type { InsightsStore } from '../../../log/store/index.ts';
import { toCountedDay } from '../../rows.ts';
import { toPlacedQuestion } from '../../subscription-rows.ts';
import type { Access } from '../access.ts';
import { toQuestion } from '../rows.ts';

/** Counts of settled questions. */
export function postgresInsights({ ask, statements }: Access): InsightsStore {
  return {
    read: async (days) => {
      const rows = await ask(statements.countedDays, days);
      const counted = rows.filter(({ day }) => day !== null).map(toCountedDay);
      return { place: Number(rows.find(({ day }) => day === null)?.place), days: counted };
    },

    feed: async (after, limit) =>
      (await ask(statements.eventsOfQuestions, after, limit)).map((row) => toPlacedQuestion(row, toQuestion)),

    write: async ({ from, to, days, keepFrom }) => {
      const columns = [days.map(({ day }) => day), days.map(({ counts }) => counts)];
      return (await ask(statements.writeCounted, from, to, ...columns, keepFrom)).length > 0;
    },
  };
}
