import type { StoreChange } from '../../log/store/index.ts';
import type { ChatId } from '../../protocol/index.ts';
import { createRowParsers, type Row } from '../rows.ts';

/** Ids of questions are stored as JSON. */
export const { toHead, toQuestion, toQuestionChange } = createRowParsers(JSON.parse);

/** Parses a row of the chats that changed while the listener was disconnected. */
export function toNotification(row: Row): StoreChange {
  const { id: chatId, reason } = row as { id: ChatId; reason: StoreChange['reason'] };
  return { chatId, reason };
}
