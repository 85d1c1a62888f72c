import type { Journal } from '../../log/journal.ts';
import type { Call } from '../../log/turn/turn.ts';
import { appendChatEvent, type ChatWriter } from '../../run/chat-event.ts';
import type { Postponed } from './outcome.ts';

/** Records an answer that leaves its question open. @returns its `seq`; `undefined` if the chat has changed */
export async function recordPostponed(
  writer: ChatWriter,
  { head }: Pick<Journal, 'head'>,
  { call, body, seq }: Postponed & { readonly call: Call },
): Promise<number | undefined> {
  if (!body) return seq;
  return (await appendChatEvent(writer, head, call, body)) ? head.seq + 1 : undefined;
}
