import type { ResultStore } from '../../../log/store/index.ts';
import { exactText } from '../../row-text.ts';
import { toResultText } from '../../rows.ts';
import type { Access } from '../access.ts';

/** Texts of large results. */
export function postgresResults({ ask, statements }: Access): ResultStore {
  return {
    add: async ({ chatId, createdAt, resultId, index, text }) => {
      const row = [chatId, createdAt, exactText(resultId), index, exactText(text)];
      return (await ask(statements.addResultPart, ...row)).length > 0;
    },

    read: async ({ chatId, resultId, index }) => {
      const [row] = await ask(statements.resultPart, chatId, exactText(resultId), index);
      return row && toResultText(row);
    },
  };
}
