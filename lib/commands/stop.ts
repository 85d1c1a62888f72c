import type { RunId } from '../protocol/index.ts';
import { changeable } from '../rights/permissions.ts';
import { withdrawal } from '../run/asking/withdraw.ts';
import { closeTurn } from '../run/close-turn.ts';
import type { Engine } from '../run/engine.ts';
import { retryOnConflict } from '../run/retry-on-conflict.ts';
import { runStart } from '../run/run-start.ts';
import type { ChatRequest } from './requests.ts';

/**
 * Ends a chat's active run, or its wait for an answer. The store gets the stop request first. Once it is
 * acknowledged, the run starts no call and asks nothing, whichever instance executes it. A run of this
 * instance has ended when this resolves; one of another instance ends soon.
 *
 * @throws CountersignError `not-found`
 * @source H5, T16, ADR 0013
 */
export async function stopChat(engine: Engine, { chatId, principal }: ChatRequest): Promise<void> {
  const { settings, store } = engine;
  let stopped: RunId | undefined;

  await retryOnConflict(engine, chatId, async () => {
    const head = await changeable(settings, principal, chatId, await store.chats.head(chatId));
    // Runs that began after the request continue.
    if (stopped !== undefined && head.runId !== stopped) return true;
    if (head.status === 'active' && head.runId !== null) {
      // Asked before, and still active: it belongs to another instance, which may only end it now.
      if (stopped !== undefined) return true;
      stopped = head.runId;
      const local = engine.local(stopped);
      try {
        await store.runs.requestStop(chatId, stopped);
      } finally {
        // Even if the store is unavailable, the run on this instance can be aborted. Nothing is acknowledged.
        local?.stops.stop();
      }
      await local?.done;
      // The run may have asked a question before the request, so the chat is read again.
      return undefined;
    }
    if (head.status === 'waiting') {
      const journal = await engine.openJournal(head);
      const runId = engine.ids.run();
      const { waitsFor } = journal.turn;
      if (waitsFor?.asked?.waitsIn) {
        // Its call is running. It gets no answer, in a run that is stopped before it begins.
        const events = [runStart(journal, principal), ...withdrawal(waitsFor)];
        await store.runs.requestStop(chatId, runId);
        const begun = engine.resume(journal, { runId, principal }, ...events);
        const local = engine.local(runId);
        local?.stops.stop();
        await begun;
        await local?.done;
        return true;
      }
      const durable = journal.commit(runId, runStart(journal, principal));
      void durable.catch(() => {});
      const end = { type: 'run-cancelled', reason: 'stopped' } as const;
      await journal.commit(runId, ...closeTurn(journal.turn, 'cancelled'), end);
    }
    return true;
  });
}
