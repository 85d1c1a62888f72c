import type { ChatId } from '../../protocol/index.ts';
import type { FlowStore } from '../store/index.ts';

/** The last seal before a place in the log. Read backwards, because it is usually close. */
export async function sealBefore(
  store: Pick<FlowStore, 'events'>,
  chatId: ChatId,
  seq: number,
): Promise<string | null> {
  let upTo = seq - 1;
  for (let count = 64; upTo > 0; count *= 4) {
    const after = Math.max(0, upTo - count);
    const events = await store.events.read(chatId, after, upTo - after);
    const sealed = events.findLast((event) => event.seal !== undefined && event.seq <= upTo);
    if (sealed?.seal !== undefined) return sealed.seal;
    upTo = after;
  }
  return null;
}
