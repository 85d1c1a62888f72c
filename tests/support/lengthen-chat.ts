import type { FlowStore } from '../../lib/log/store/index.ts';
import type { FlowEvent } from '../../lib/protocol/index.ts';
import { type ChatId, parseMessageId } from '../../lib/protocol/index.ts';

/**
 * Repeats a chat's log until the chat has this many turns, to create a long chat quickly. Its turns must not call
 * tools.
 */
export async function lengthenChat(store: FlowStore, chatId: ChatId, turns: number): Promise<void> {
  const head = await store.chats.head(chatId);
  const once = await store.events.read(chatId, 0);
  const last = once.at(-1);
  if (!head || !last) throw new Error('There is nothing to repeat.');
  const events = Array.from({ length: turns - 1 }, (_, turn) =>
    once.map((event): FlowEvent => {
      const again = { ...event, seq: event.seq + last.seq * (turn + 1), at: last.at };
      return 'messageId' in again
        ? { ...again, messageId: parseMessageId(`${again.messageId}-${turn}`) }
        : again;
    }),
  ).flat();
  const seq = events.at(-1)?.seq ?? head.seq;
  const outcome = await store.append({
    chatId,
    after: head.seq,
    events,
    head: { ...head, seq, turnSeq: seq - once.length + head.turnSeq },
    questions: [],
    owner: 'lengthen-chat',
  });
  if (outcome !== 'appended') throw new Error(`The log was not extended: ${outcome}`);
}
