import type { FlowEvent } from '../protocol/events.ts';
import type { ChatId } from '../protocol/index.ts';
import type { FlowStore } from './store/index.ts';

/**
 * The events of a chat whose head was read before, from its first on. An erasure takes the head with them; a log that has
 * lost its events in any other way is reported as it is, and its record does not verify.
 *
 * @returns `undefined` if the chat has been erased since
 */
export async function eventsOf(
  store: Pick<FlowStore, 'chats' | 'events'>,
  chatId: ChatId,
  limit?: number,
): Promise<readonly FlowEvent[] | undefined> {
  const events = await store.events.read(chatId, 0, limit);
  return events.length > 0 || (await store.chats.head(chatId)) ? events : undefined;
}
