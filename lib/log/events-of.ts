import type { FlowEvent } from '../protocol/events.ts';
import type { ChatId } from '../protocol/index.ts';
import type { FlowStore } from './store/index.ts';

/** The events of a chat, from its first on; `undefined` if the chat has been erased since its head was read. */
export async function eventsOf(
  store: Pick<FlowStore, 'chats' | 'events'>,
  chatId: ChatId,
  limit?: number,
): Promise<readonly FlowEvent[] | undefined> {
  const events = await store.events.read(chatId, 0, limit);
  return events.length > 0 || (await store.chats.head(chatId)) ? events : undefined;
}
