import type { ChatHead } from '../log/store/index.ts';
import { type ChatId, CountersignError } from '../protocol/index.ts';
import type { Engine } from '../run/engine.ts';
import { keptRecordOf } from '../views/audit/kept-record.ts';

const attempts = 10;

type Parts = Pick<
  Engine,
  'store' | 'clock' | 'hooks' | 'auditor' | 'flowLog' | 'transcripts' | 'recentEvents'
>;

/**
 * Erases a chat. With an audit key, the record of its executed gated calls is kept, and the erasure is
 * written to the flow's log before it happens. If the chat has changed by then, it is read again, so that no
 * unrecorded start and no uncounted answer is erased.
 *
 * @param by a person's id, or `retention`
 * @param isDue called with the head that would be erased
 * @throws CountersignError `internal`, transient, if the chat keeps changing
 * @source ADR 0023
 */
export async function eraseChat(
  parts: Parts,
  chatId: ChatId,
  by: string,
  isDue: (head: ChatHead) => boolean = () => true,
): Promise<void> {
  const { store, transcripts, recentEvents } = parts;
  let instead: number | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const head = await store.chats.head(chatId);
    if (!head || !isDue(head)) return;
    for (const prepare of parts.hooks.beforeErase) await prepare();
    instead = await eraseAt(parts, head, by, instead);
    const now = await store.chats.head(chatId);
    if (now?.createdAt === head.createdAt && now.seq > head.seq) continue;
    transcripts.forget(chatId);
    recentEvents.forget(chatId);
    return;
  }
  const text = `Chat ${chatId} was not erased: it is in use. Trying again is safe.`;
  throw new CountersignError('internal', text, { chatId }, { transient: true });
}

/** @returns the place of its entry in the flow's log, if there is one */
async function eraseAt(
  { store, clock, auditor, flowLog, hooks }: Parts,
  head: ChatHead,
  by: string,
  instead: number | undefined,
): Promise<number | undefined> {
  const { id: chatId, auditHead, seq } = head;
  const erasedAt = await clock.sure();
  if (!auditor && hooks.beforeErase.length === 0) {
    await store.chats.erase(chatId, by, erasedAt);
    return undefined;
  }
  if (!auditor || auditHead === null) {
    await store.chats.erase(chatId, by, erasedAt, undefined, seq);
    return undefined;
  }
  const events = (await store.events.read(chatId, 0)).filter((event) => event.seq <= seq);
  const record = keptRecordOf(head, events, auditor);
  const kept = record?.entries.length ?? 0;
  const facts = { chatId, by, erasedAt, head: auditHead, kept };
  const place = await flowLog.append(() => [{ type: 'chat-erased', ...facts, instead }]);
  await store.chats.erase(chatId, by, erasedAt, record && JSON.stringify(record), seq);
  return place;
}
