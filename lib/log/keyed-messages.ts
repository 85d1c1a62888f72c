import {
  canonicalJson,
  type FlowEvent,
  flowLogId,
  type MessageId,
  parseMessageId,
} from '../protocol/index.ts';
import { runtime } from '../runtime/runtime.ts';
import type { CallMark, ChatHead, FlowStore } from './store/index.ts';

const suffix = '#key';

/** The digest that is recorded for the key of a message. */
export function keyDigest(key: string): string {
  return runtime.digest(canonicalJson(['key', key])).slice(0, 22);
}

/** The marks by which messages are found by their keys, in any chat. They are erased with the chat. @source ADR 0014.14 */
export function keyMarksOf(events: readonly FlowEvent[]): readonly CallMark[] {
  return events.flatMap((event) => {
    if (event.type !== 'message-received' || event.key === undefined) return [];
    const toolCallId = `${event.messageId}${suffix}` as CallMark['toolCallId'];
    return [{ toolCallId, digest: event.key, askerId: event.by.id, at: event.at }];
  });
}

/** The first message that a person sent with a key, and its chat; `undefined` if there is none. */
export async function messageOfKey(
  store: Pick<FlowStore, 'calls'>,
  personId: string,
  key: string,
): Promise<{ readonly chatId: ChatHead['id']; readonly messageId: MessageId } | undefined> {
  // The flow's own log contains no messages. Naming it makes the store look for marks of this person in every chat.
  const place = { chatId: flowLogId, askerId: personId, since: 0, limit: 10 };
  const first = (await store.calls.recent({ ...place, digest: keyDigest(key) })).at(-1);
  if (!first) return undefined;
  return { chatId: first.chatId, messageId: parseMessageId(first.toolCallId.slice(0, -suffix.length)) };
}
