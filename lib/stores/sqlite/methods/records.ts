import type { FlowStore } from '../../../log/store-port.ts';
import { lastPlace, placedPageOf, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import { toKeptRecord } from '../../rows.ts';
import type { Access } from '../access.ts';
import { erasedAt } from '../rows.ts';
import { transaction } from '../transaction.ts';
import { whenFree } from '../when-free.ts';

/** Erasing chats, and the records that are kept of them. */
export function sqliteRecords({
  ask,
  db,
  forgetDeleted,
  retryMs,
  statements,
  subscribers,
  withStoreErrors,
}: Access): Pick<FlowStore, 'erase' | 'erasedAt' | 'keptRecords' | 'dropRecords'> {
  return {
    erase: (chatId, by, at, record, seq) =>
      withStoreErrors(async () => {
        const kept = record === undefined ? null : exactText(record);
        const remove = () => {
          statements.keepLastChange.run();
          const keep = statements.eraseChat.run(chatId, seq ?? null).changes > 0;
          if (keep) statements.recordErasure.run(chatId, exactText(by), at, kept);
          return { keep };
        };
        const { keep: erased } = await whenFree(() => transaction(db, remove), retryMs);
        if (!erased) return;
        subscribers.notify({ chatId, reason: 'erase' });
        await forgetDeleted();
      }),

    erasedAt: (chatId) => ask(() => erasedAt(statements, chatId)),

    keptRecords: ({ chatId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        const rows =
          chatId === undefined
            ? statements.keptRecords.all(at, row, limit + 1)
            : statements.keptRecordsOf.all(chatId, at, row, limit + 1);
        return placedPageOf(rows, limit, toKeptRecord, (record) => ({
          at: Number(record.at),
          row: Number(record.erasure),
        }));
      }),

    dropRecords: (query) =>
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
