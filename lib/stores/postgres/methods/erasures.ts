import type { ErasureStore } from '../../../log/store/index.ts';
import { lastPlace, placeBy, placedPageOf, readCursor } from '../../cursor.ts';
import { toKeptRecord } from '../../rows.ts';
import type { Access } from '../access.ts';

/** Chats that were erased, and what was kept of them. */
export function postgresErasures({ ask, statements }: Access): ErasureStore {
  return {
    at: async (chatId) => {
      const [row] = await ask(statements.erasedAt, chatId);
      return row?.at == null ? undefined : Number(row.at);
    },

    list: async ({ chatId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      const rows =
        chatId === undefined
          ? ask(statements.keptRecords, at, row, limit + 1)
          : ask(statements.keptRecordsOf, chatId, at, row, limit + 1);
      return placedPageOf(await rows, limit, toKeptRecord, placeBy('at', 'erasure'));
    },

    drop: async (query) => {
      const dropped =
        'chatId' in query
          ? ask(statements.dropRecordsOf, query.chatId)
          : ask(statements.dropRecordsBefore, query.before);
      return (await dropped).length;
    },
  };
}
