import type { ResultStore } from '../../../log/store/index.ts';
import { exactText } from '../../row-text.ts';
import { toResultText } from '../../rows.ts';
import type { Access } from '../access.ts';

/** Texts of large results. */
export function sqliteResults({ ask, statements }: Access): ResultStore {
  return {
    add: ({ chatId, createdAt, resultId, index, text }) =>
      ask(() => {
        const row = [exactText(resultId), index, exactText(text), chatId, createdAt];
        return statements.addResultPart.run(...row).changes > 0;
      }),

    read: ({ chatId, resultId, index }) =>
      ask(() => {
        const row = statements.resultPart.get(chatId, exactText(resultId), index);
        return row && toResultText(row);
      }),
  };
}
