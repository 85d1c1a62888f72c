import type { ChatId } from '../../protocol/index.ts';
import { createRowParsers } from '../rows.ts';
import type { Statements } from './statements.ts';

/** The hour that contains a time given in milliseconds. Chats are indexed by it, because it seldom changes. */
export function hourOf(at: number): number {
  return Math.floor(at / 3_600_000);
}

/** The second that contains a time given in milliseconds. A person's chats are indexed by it. */
export function secondOf(at: number): number {
  return Math.floor(at / 1_000);
}

/** Ids of questions are stored as they are. */
export const { toHead, toQuestion, toQuestionChange } = createRowParsers((id) => id);

/** When a chat with this id was erased last. Part of the caller's transaction, if there is one. */
export function erasedAt(statements: Pick<Statements, 'erasedAt'>, chatId: ChatId): number | undefined {
  const at = statements.erasedAt.get(chatId)?.at ?? null;
  return at === null ? undefined : Number(at);
}
