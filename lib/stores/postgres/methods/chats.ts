import type { ChatStore, EventStore } from '../../../log/store/index.ts';
import type { ChatId } from '../../../protocol/index.ts';
import { firstPlace, lastPlace, pageOf, readCursor } from '../../cursor.ts';
import { createGroups } from '../../groups.ts';
import { exactText } from '../../row-text.ts';
import { placeOfChat, toChatId, toEvent } from '../../rows.ts';
import type { Access } from '../access.ts';
import { notificationText } from '../connection/notification-text.ts';
import { toHead } from '../rows.ts';

/** Concurrent lookups share one round trip. @returns `idle` resolves when none is waiting */
export function postgresChats({ ask, query, channel, statements, withStoreErrors }: Access) {
  const heads = createGroups(async (chatIds: readonly ChatId[]) => {
    const found = new Map(
      (await query(statements.heads, chatIds)).map((row) => [toChatId(row), toHead(row)]),
    );
    return chatIds.map((chatId) => found.get(chatId));
  });

  const events: EventStore = {
    read: async (chatId, after, limit) =>
      (await ask(statements.events, chatId, after, limit ?? null)).map(toEvent),
  };

  const chats: ChatStore = {
    head: (chatId) => withStoreErrors(() => heads.add(chatId)),

    list: async ({ ownerId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      return pageOf(
        await ask(statements.chats, exactText(ownerId), at, row, limit + 1),
        limit,
        (chat) => ({ ...toHead(chat), openCount: Number(chat.open_count) }),
        placeOfChat,
      );
    },

    stale: async (before, limit) => (await ask(statements.staleChats, before, limit)).map(toChatId),

    sealedSince: async (since, limit, cursor) => {
      const { at, row } = cursor === undefined ? firstPlace : readCursor(cursor);
      return pageOf(await ask(statements.sealedChats, since, at, row, limit + 1), limit, toHead, placeOfChat);
    },

    changedSince: async ({ since, cursor, limit }) => {
      const { at, row } = cursor === undefined ? firstPlace : readCursor(cursor);
      return pageOf(
        await ask(statements.changedChats, since, at, row, limit + 1),
        limit,
        toHead,
        placeOfChat,
      );
    },

    rename: async (chatId, title) => {
      await ask(statements.rename, chatId, exactText(title));
    },

    reassign: async (from, to) => {
      const { reassignCalls, reassignQuestions, reassignRecords, reassignChats } = statements;
      // One after another: a single statement that locks rows of several tables could deadlock with an append.
      for (const statement of [reassignCalls, reassignQuestions, reassignRecords, reassignChats]) {
        await ask(statement, exactText(from), exactText(to));
      }
    },

    erase: async (chatId, by, at, record, seq) => {
      const notification = notificationText({ chatId, reason: 'erase' });
      const kept = record === undefined ? null : exactText(record);
      await ask(statements.erase, chatId, exactText(by), at, kept, channel, notification, seq ?? null);
    },
  };

  return { events, chats, idle: heads.idle };
}
