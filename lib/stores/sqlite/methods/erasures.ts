import type { ErasureStore } from '../../../log/store/index.ts';
import { lastPlace, placeBy, placedPageOf, readCursor } from '../../cursor.ts';
import { toKeptRecord } from '../../rows.ts';
import type { Access } from '../access.ts';
import { erasedAt } from '../rows.ts';
import { whenFree } from '../when-free.ts';

/** Chats that were erased, and what was kept of them. */
export function sqliteErasures(access: Access): ErasureStore {
  const { ask, forgetDeleted, retryMs, statements, withStoreErrors } = access;
  return {
    at: (chatId) => ask(() => erasedAt(statements, chatId)),

    list: ({ chatId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        const rows =
          chatId === undefined
            ? statements.keptRecords.all(at, row, limit + 1)
            : statements.keptRecordsOf.all(chatId, at, row, limit + 1);
        return placedPageOf(rows, limit, toKeptRecord, placeBy('at', 'erasure'));
      }),

    drop: (query) =>
      withStoreErrors(async () => {
        const drop = () =>
          'chatId' in query
            ? statements.dropRecordsOf.run(query.chatId)
            : statements.dropRecordsBefore.run(query.before);
        const { changes } = await whenFree(drop, retryMs);
        if (changes > 0) await forgetDeleted();
        return Number(changes);
      }),
  };
}
