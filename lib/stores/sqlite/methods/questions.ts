import type { CallStore, QuestionStore } from '../../../log/store/index.ts';
import { firstPlace, placedPageOf, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import { placeOfQuestion, toCallMark } from '../../rows.ts';
import { settledPage, settledPlace, settledStates } from '../../settled-rows.ts';
import { toPlacedQuestion } from '../../subscription-rows.ts';
import type { Access } from '../access.ts';
import { toQuestion, toQuestionChange } from '../rows.ts';

/** Questions and the feed of their changes, and marks of calls. */
export function sqliteQuestions({ ask, statements }: Access) {
  const questions: QuestionStore = {
    read: (id) =>
      ask(() => {
        const row = statements.question.get(id);
        return row && toQuestion(row);
      }),

    list: ({ state, ownerId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? firstPlace : readCursor(cursor);
        const rows =
          ownerId === undefined
            ? statements.questionsOfAll.all(state, at, row, limit + 1)
            : statements.questionsOf.all(exactText(ownerId), state, at, row, limit + 1);
        return placedPageOf(rows, limit, toQuestion, placeOfQuestion);
      }),

    settled: ({ ownerId, limit, ...from }) =>
      ask(() => {
        const { at, row } = settledPlace(from);
        const rows = settledStates.flatMap((state) =>
          ownerId === undefined
            ? statements.settledOfAll.all(state, at, row, limit + 1)
            : statements.settledOf.all(exactText(ownerId), state, at, row, limit + 1),
        );
        return settledPage(rows, limit, toQuestion);
      }),

    due: (now, limit) => ask(() => statements.dueQuestions.all(now, limit).map(toQuestion)),

    changes: (after, limit) => ask(() => statements.questionChanges.all(after, limit).map(toQuestionChange)),

    feed: (after, limit) =>
      ask(() => statements.questionFeed.all(after, limit).map((row) => toPlacedQuestion(row, toQuestion))),

    lastChange: () => ask(() => Number(statements.lastChange.get()?.last)),
  };

  const calls: CallStore = {
    recent: ({ digest, chatId, askerId, since, limit }) =>
      ask(() => statements.recentCalls.all(digest, since, chatId, exactText(askerId), limit).map(toCallMark)),
  };

  return { questions, calls };
}
