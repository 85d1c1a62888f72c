import type { StoreChange } from '../../../log/store/index.ts';
import type { ChatId } from '../../../protocol/index.ts';

/** Encodes a notification's payload: a word, a number and an id, well below Postgres's limit of 8,000 bytes. */
export function notificationText({ chatId, reason, seq }: StoreChange): string {
  return seq === undefined ? `${reason} ${chatId}` : `${reason}:${seq} ${chatId}`;
}

/** Parses a payload; `undefined` for one that this library did not send. */
export function parseNotificationText(text: string | undefined): StoreChange | undefined {
  const [, reason, seq, chatId] = /^(append|stop|erase|release)(?::(\d+))? (.+)$/.exec(text ?? '') ?? [];
  if (reason === undefined || chatId === undefined) return undefined;
  return {
    chatId: chatId as ChatId,
    reason: reason as StoreChange['reason'],
    ...(seq === undefined ? {} : { seq: Number(seq) }),
  };
}
