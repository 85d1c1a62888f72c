import type { ChatId, Wake } from '../../vocabulary/index.ts';

/** A wake as a notification carries it: a word and an id, well below the 8,000 bytes that Postgres takes. */
export function wakeText({ chatId, reason }: Wake): string {
  return `${reason} ${chatId}`;
}

/** Parses a notification; `undefined` for what no store of ours sent. */
export function parseWakeText(text: string | undefined): Wake | undefined {
  const [, reason, chatId] = /^(append|stop|erase|release) (.+)$/.exec(text ?? '') ?? [];
  if (reason === undefined || chatId === undefined) return undefined;
  return { chatId: chatId as ChatId, reason: reason as Wake['reason'] };
}
