import type { Wake } from '../../log/store-port.ts';
import type { ChatId } from '../../protocol/index.ts';

/** A wake as a notification carries it: a word, a number and an id, well below the 8,000 bytes that Postgres takes. */
export function wakeText({ chatId, reason, seq }: Wake): string {
  return seq === undefined ? `${reason} ${chatId}` : `${reason}:${seq} ${chatId}`;
}

/** Parses a notification; `undefined` for what no store of ours sent. */
export function parseWakeText(text: string | undefined): Wake | undefined {
  const [, reason, seq, chatId] = /^(append|stop|erase|release)(?::(\d+))? (.+)$/.exec(text ?? '') ?? [];
  if (reason === undefined || chatId === undefined) return undefined;
  return {
    chatId: chatId as ChatId,
    reason: reason as Wake['reason'],
    ...(seq === undefined ? {} : { seq: Number(seq) }),
  };
}
