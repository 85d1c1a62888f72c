import type { FlowStore, KeptRecord } from '../log/store/index.ts';
import { type ChatId, CountersignError, type Page, type Principal, personOf } from '../protocol/index.ts';
import { mapInParallel } from '../rights/map-in-parallel.ts';
import { mayRead, ruledChat } from '../rights/permissions.ts';
import { visiblePage } from '../rights/visible-page.ts';
import type { Engine } from '../run/engine.ts';
import { type ErasedChat, parseKeptRecord } from '../views/audit/kept-record.ts';
import { eraseChat } from './erase.ts';

const longestReason = 2_000;
const judgedAtOnce = 8;

export function keptRecords(
  { store, settings }: Pick<Engine, 'store' | 'settings'>,
  principal: Principal,
  { chatId, cursor, limit }: Parameters<FlowStore['erasures']['list']>[0],
): Promise<Page<ErasedChat>> {
  async function shown(kept: KeptRecord): Promise<ErasedChat | undefined> {
    const record = parseKeptRecord(kept);
    const chat = { id: record.chatId, ownerId: record.ownerId };
    return (await mayRead(settings, principal, chat)) ? record : undefined;
  }
  return visiblePage(
    { cursor, limit },
    (query) => store.erasures.list({ chatId, ...query }),
    (page) => mapInParallel(page, judgedAtOnce, shown),
  );
}

/**
 * Erases a chat with its record, or the record that was kept of it. The flow's log records who did it, and
 * why.
 *
 * @throws CountersignError `forbidden` without the right, `not-found` when there is neither,
 *   `invalid-request` for a reason of invalid length
 * @source ADR 0023
 */
export async function purgeRecord(
  engine: Engine,
  { principal, chatId, reason }: { principal: Principal; chatId: ChatId; reason: string },
): Promise<void> {
  const { store, settings, flowLog } = engine;
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > longestReason) {
    const text = `A purge needs a reason of 1 to ${longestReason} characters.`;
    throw new CountersignError('invalid-request', text);
  }
  const head = await store.chats.head(chatId);
  const [kept] = (await store.erasures.list({ chatId, limit: 1 })).items;
  const ownerId = head?.ownerId ?? (kept && parseKeptRecord(kept).ownerId);
  if (ownerId === undefined) {
    throw new CountersignError('not-found', `Neither chat ${chatId} nor a record of it was found.`, {
      chatId,
    });
  }
  if ((await settings.mayPurge?.(principal, ruledChat(settings, { id: chatId, ownerId }))) !== true) {
    throw new CountersignError('forbidden', `You may not purge the record of chat ${chatId}.`, { chatId });
  }
  await eraseChat(engine, chatId, principal.id);
  await flowLog.append(() => [{ type: 'record-purged', chatId, by: personOf(principal), reason }]);
  await store.erasures.drop({ chatId });
}

export async function expireRecords({ store, clock, settings, flowLog }: Engine): Promise<void> {
  if (settings.recordRetentionMs === undefined) return;
  const before = (await clock.sure()) - settings.recordRetentionMs;
  const dropped = await store.erasures.drop({ before });
  if (dropped > 0) await flowLog.append(() => [{ type: 'records-expired', before }]);
}
