import { changeable } from '../rights/permissions.ts';
import { closeCall } from '../run/close-turn.ts';
import type { Engine } from '../run/engine.ts';
import { retryOnConflict } from '../run/retry-on-conflict.ts';
import { runStart } from '../run/run-start.ts';
import type { CallRequest } from './requests.ts';

/**
 * Ends one call and continues its turn: aborts the call while it runs, or withdraws its question. The model sees it.
 *
 * @returns false if nothing was ended: the call has ended, was never made, or runs on another instance. A
 *   call on another instance continues; to end it, stop the run (`stop`), which reaches every instance
 * @throws CountersignError `not-found`
 * @source D21
 */
export async function cancelCall(
  engine: Engine,
  { chatId, principal, toolCallId }: CallRequest,
): Promise<boolean> {
  const { settings, store } = engine;
  return retryOnConflict(engine, chatId, async () => {
    const head = await changeable(settings, principal, chatId, await store.chats.head(chatId));
    if (head.status === 'active') {
      const run = head.runId === null ? undefined : engine.local(head.runId);
      return run?.stops.stopCall(toolCallId) ?? false;
    }
    const journal = await engine.openJournal(head);
    const { waitsFor } = journal.turn;
    if (head.status !== 'waiting' || waitsFor?.requested.toolCallId !== toolCallId) return false;
    const runId = engine.ids.run();
    const end = closeCall(waitsFor, 'cancelled');
    await engine.resume(journal, { runId, principal }, runStart(journal, principal), ...end);
    return true;
  });
}
