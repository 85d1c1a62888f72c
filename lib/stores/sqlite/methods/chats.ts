import type { FlowStore } from '../../../log/store-port.ts';
import { lastPlace, pageOf, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import { placeOfChat, toChatId, toEvent } from '../../rows.ts';
import type { Access } from '../access.ts';
import { hourOf, secondOf, toHead } from '../rows.ts';
import { transaction } from '../transaction.ts';

/** Chats: their events, heads and lists. */
export function sqliteChats({
  ask,
  db,
  statements,
}: Access): Pick<
  FlowStore,
  'read' | 'head' | 'chats' | 'staleChats' | 'restingHeads' | 'chatsChangedSince' | 'rename' | 'reassign'
> {
  return {
    read: (chatId, after, limit = -1) => ask(() => statements.events.all(chatId, after, limit).map(toEvent)),

    head: (chatId) =>
      ask(() => {
        const row = statements.head.get(chatId);
        return row && toHead(row);
      }),

    chats: ({ ownerId, cursor, limit }) =>
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

    staleChats: (before, limit) =>
      ask(() => statements.staleChats.all(hourOf(before), before, limit).map(toChatId)),

    restingHeads: (since, limit, cursor) =>
      ask(() => {
        const { at, row } = cursor === undefined ? { at: since, row: -1 } : readCursor(cursor);
        const rows = statements.restingHeads.all(hourOf(at), hourOf(at), at, row, since, limit + 1);
        return pageOf(rows, limit, toHead, placeOfChat);
      }),

    chatsChangedSince: ({ since, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? { at: since, row: -1 } : readCursor(cursor);
        const rows = statements.chatsChangedSince.all(hourOf(at), hourOf(at), at, row, since, limit + 1);
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
          statements.reassignGrants.run(now, former);
          statements.reassignChats.run(now, former);
          return { keep: true };
        });
      }),
  };
}
