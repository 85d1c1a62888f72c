import type { CallStore, QuestionStore } from '../../../log/store/index.ts';
import { firstPlace, placedPageOf, readCursor } from '../../cursor.ts';
import { createGroups } from '../../groups.ts';
import { exactText } from '../../row-text.ts';
import { placeOfQuestion, type Row, toCallMark } from '../../rows.ts';
import { settledPage, settledPlace, settledStates } from '../../settled-rows.ts';
import { toPlacedQuestion } from '../../subscription-rows.ts';
import type { Access } from '../access.ts';
import { toQuestion, toQuestionChange } from '../rows.ts';

/** Concurrent lookups share one round trip. @returns `idle` resolves when none is waiting */
export function postgresQuestions({ ask, query, statements, withStoreErrors }: Access) {
  const repeats = createGroups(async (asked: readonly Parameters<CallStore['recent']>[0][]) => {
    const columns = [
      asked.map(({ chatId }) => chatId),
      asked.map(({ digest }) => digest),
      asked.map(({ since }) => since),
      asked.map(({ askerId }) => exactText(askerId)),
      asked.map(({ limit }) => limit),
    ];
    const rows = await query(statements.recentCalls, ...columns);
    return asked.map((_, index) =>
      rows
        .filter(({ nth }) => Number(nth) === index + 1)
        .map(toCallMark)
        .sort((a, b) => b.at - a.at),
    );
  });
  const first = async <Result>(rows: Promise<Row[]>, parse: (row: Row) => Result) => {
    const [row] = await rows;
    return row && parse(row);
  };

  const questions: QuestionStore = {
    read: (id) => first(ask(statements.question, exactText(id)), toQuestion),

    list: async ({ state, ownerId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? firstPlace : readCursor(cursor);
      const rows =
        ownerId === undefined
          ? ask(statements.questionsOfAll, state, at, row, limit + 1)
          : ask(statements.questionsOf, exactText(ownerId), state, at, row, limit + 1);
      return placedPageOf(await rows, limit, toQuestion, placeOfQuestion);
    },

    settled: async ({ ownerId, limit, ...from }) => {
      const { at, row } = settledPlace(from);
      const rows =
        ownerId === undefined
          ? ask(statements.settledOfAll, settledStates, at, row, limit + 1)
          : ask(statements.settledOf, exactText(ownerId), settledStates, at, row, limit + 1);
      return settledPage(await rows, limit, toQuestion);
    },

    due: async (now, limit) => (await ask(statements.dueQuestions, now, limit)).map(toQuestion),

    changes: async (after, limit) =>
      (await ask(statements.questionChanges, after, limit)).map(toQuestionChange),

    feed: async (after, limit) =>
      (await ask(statements.questionFeed, after, limit)).map((row) => toPlacedQuestion(row, toQuestion)),

    lastChange: async () => Number((await ask(statements.lastChange))[0]?.last),
  };

  const calls: CallStore = { recent: (asked) => withStoreErrors(() => repeats.add(asked)) };

  return { questions, calls, idle: repeats.idle };
}
