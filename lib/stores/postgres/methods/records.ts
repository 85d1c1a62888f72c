import type { FlowStore } from '../../../log/store-port.ts';
import { lastPlace, placedPageOf, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import { toKeptRecord } from '../../rows.ts';
import type { Access } from '../access.ts';
import { notificationText } from '../connection/notification-text.ts';

/** Erasing chats, and the records that are kept of them. */
export function postgresRecords({
  ask,
  channel,
  statements,
}: Access): Pick<FlowStore, 'erase' | 'erasedAt' | 'keptRecords' | 'dropRecords'> {
  return {
    erase: async (chatId, by, at, record, seq) => {
      const notification = notificationText({ chatId, reason: 'erase' });
      const kept = record === undefined ? null : exactText(record);
      await ask(statements.erase, chatId, exactText(by), at, kept, channel, notification, seq ?? null);
    },

    erasedAt: async (chatId) => {
      const [row] = await ask(statements.erasedAt, chatId);
      const at = row?.at ?? null;
      return at === null ? undefined : Number(at);
    },

    keptRecords: async ({ chatId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      const rows =
        chatId === undefined
          ? ask(statements.keptRecords, at, row, limit + 1)
          : ask(statements.keptRecordsOf, chatId, at, row, limit + 1);
      return placedPageOf(await rows, limit, toKeptRecord, (record) => ({
        at: Number(record.at),
        row: Number(record.erasure),
      }));
    },

    dropRecords: async (query) => {
      const dropped =
        'chatId' in query
          ? ask(statements.dropRecordsOf, query.chatId)
          : ask(statements.dropRecordsBefore, query.before);
      return (await dropped).length;
    },
  };
}
