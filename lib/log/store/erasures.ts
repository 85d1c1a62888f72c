import type { ChatId } from '../../protocol/ids/ids.ts';
import type { PlacedPage } from './pages.ts';

/** What was kept of an erased chat. `record` is the text that `erase` was given. Times are epoch milliseconds. */
export type KeptRecord = {
  readonly chatId: ChatId;
  readonly erasedBy: string;
  readonly erasedAt: number;
  readonly record: string;
};

/** Chats that were erased, and what was kept of them. */
export type ErasureStore = {
  /** When a chat with this id was erased last, in epoch milliseconds. `undefined` if it never was. */
  at(chatId: ChatId): Promise<number | undefined>;
  /** Records kept of erased chats, newest erasure first. Without `chatId`: of all chats. */
  list(query: { chatId?: ChatId; cursor?: string; limit: number }): Promise<PlacedPage<KeptRecord>>;
  /**
   * Deletes the texts of kept records: of one chat, or of all chats erased before a time (epoch milliseconds). Who
   * erased each chat, and when, stays.
   *
   * @returns how many were deleted
   */
  drop(query: { chatId: ChatId } | { before: number }): Promise<number>;
};
