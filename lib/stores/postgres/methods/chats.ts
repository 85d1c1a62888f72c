import type { FlowStore } from '../../../log/store-port.ts';
import type { ChatId } from '../../../protocol/index.ts';
import { firstPlace, lastPlace, pageOf, readCursor } from '../../cursor.ts';
import { createGroups } from '../../groups.ts';
import { exactText } from '../../row-text.ts';
import { placeOfChat, toChatId, toEvent } from '../../rows.ts';
import type { Access } from '../access.ts';
import { toHead } from '../rows.ts';

type Methods = Pick<
  FlowStore,
  'read' | 'head' | 'chats' | 'staleChats' | 'restingHeads' | 'chatsChangedSince' | 'rename' | 'reassign'
>;

/**
 * Chats: their events, heads and lists. Concurrent lookups share one round trip.
 *
 * @returns `idle` resolves when no lookup is waiting
 */
export function postgresChats({ ask, query, statements, withStoreErrors }: Access): {
  readonly methods: Methods;
  idle(): Promise<void>;
} {
  const heads = createGroups(async (chatIds: readonly ChatId[]) => {
    const found = new Map(
      (await query(statements.heads, chatIds)).map((row) => [toChatId(row), toHead(row)]),
    );
    return chatIds.map((chatId) => found.get(chatId));
  });

  const methods: Methods = {
    read: async (chatId, after, limit) =>
      (await ask(statements.events, chatId, after, limit ?? null)).map(toEvent),

    head: (chatId) => withStoreErrors(() => heads.add(chatId)),

    chats: async ({ ownerId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      return pageOf(
        await ask(statements.chats, exactText(ownerId), at, row, limit + 1),
        limit,
        (chat) => ({ ...toHead(chat), openCount: Number(chat.open_count) }),
        placeOfChat,
      );
    },

    staleChats: async (before, limit) => (await ask(statements.staleChats, before, limit)).map(toChatId),

    restingHeads: async (since, limit, cursor) => {
      const { at, row } = cursor === undefined ? firstPlace : readCursor(cursor);
      return pageOf(
        await ask(statements.restingHeads, since, at, row, limit + 1),
        limit,
        toHead,
        placeOfChat,
      );
    },

    chatsChangedSince: async ({ since, cursor, limit }) => {
      const { at, row } = cursor === undefined ? firstPlace : readCursor(cursor);
      return pageOf(
        await ask(statements.chatsChangedSince, since, at, row, limit + 1),
        limit,
        toHead,
        placeOfChat,
      );
    },

    rename: async (chatId, title) => {
      await ask(statements.rename, chatId, exactText(title));
    },

    reassign: async (from, to) => {
      const { reassignCalls, reassignQuestions, reassignGrants, reassignChats } = statements;
      // One after another: a single statement that locks rows of several tables could deadlock with an append.
      for (const statement of [reassignCalls, reassignQuestions, reassignGrants, reassignChats]) {
        await ask(statement, exactText(from), exactText(to));
      }
    },
  };
  return { methods, idle: heads.idle };
}
