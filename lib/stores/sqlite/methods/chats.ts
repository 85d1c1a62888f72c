import type { ChatStore, EventStore } from '../../../log/store/index.ts';
import { lastPlace, pageOf, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import { placeOfChat, toChatId, toEvent } from '../../rows.ts';
import type { Access } from '../access.ts';
import { hourOf, secondOf, toHead } from '../rows.ts';
import { transaction } from '../transaction.ts';
import { whenFree } from '../when-free.ts';

/** Chats: their events, heads and lists, and erasing them. */
export function sqliteChats(access: Access) {
  const { ask, db, forgetDeleted, retryMs, statements, subscribers, withStoreErrors } = access;
  const events: EventStore = {
    read: (chatId, after, limit = -1) => ask(() => statements.events.all(chatId, after, limit).map(toEvent)),
  };

  const chats: ChatStore = {
    head: (chatId) =>
      ask(() => {
        const row = statements.head.get(chatId);
        return row && toHead(row);
      }),

    list: ({ ownerId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        const rows = statements.chats.all(exactText(ownerId), secondOf(at), at, row, limit + 1);
        return pageOf(
          rows,
          limit,
          (chat) => ({ ...toHead(chat), openCount: Number(chat.open_count) }),
          placeOfChat,
        );
      }),

    stale: (before, limit) =>
      ask(() => statements.staleChats.all(hourOf(before), before, limit).map(toChatId)),

    sealedSince: (since, limit, cursor) =>
      ask(() => {
        const { at, row } = cursor === undefined ? { at: since, row: -1 } : readCursor(cursor);
        const rows = statements.sealedChats.all(hourOf(at), hourOf(at), at, row, since, limit + 1);
        return pageOf(rows, limit, toHead, placeOfChat);
      }),

    changedSince: ({ since, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? { at: since, row: -1 } : readCursor(cursor);
        const rows = statements.changedChats.all(hourOf(at), hourOf(at), at, row, since, limit + 1);
        return pageOf(rows, limit, toHead, placeOfChat);
      }),

    rename: (chatId, title) =>
      ask(() => {
        statements.rename.run(exactText(title), chatId);
      }),

    reassign: (from, to) =>
      ask(() => {
        const [former, now] = [exactText(from), exactText(to)];
        transaction(db, () => {
          statements.reassignCalls.run(now, former, former);
          statements.reassignQuestions.run(now, former);
          statements.reassignRecords.run(now, former);
          statements.reassignChats.run(now, former);
        });
      }),

    erase: (chatId, by, at, record, seq) =>
      withStoreErrors(async () => {
        const kept = record === undefined ? null : exactText(record);
        const remove = () => {
          statements.keepLastChange.run();
          const isErased = statements.eraseChat.run(chatId, seq ?? null).changes > 0;
          if (isErased) statements.recordErasure.run(chatId, exactText(by), at, kept);
          return isErased;
        };
        if (!(await whenFree(() => transaction(db, remove, (isErased) => isErased), retryMs))) return;
        subscribers.notify({ chatId, reason: 'erase' });
        await forgetDeleted();
      }),
  };

  return { events, chats };
}
