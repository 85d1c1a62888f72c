import type { FlowStore } from '../../log/store-port.ts';
import type { ChatId } from '../../protocol/index.ts';
import type { LocalRuns } from '../local-runs.ts';
import type { Run } from '../run.ts';

/**
 * Looks what became of a chat in which a call waits here: another instance may have answered its question, which leaves the
 * next run to this one, or may have ended the turn.
 *
 * @param takeOver continues a run whose lease belongs to this instance
 * @source ADR 0037
 */
export function createLookAfter({
  store,
  held,
  runs,
  takeOver,
}: {
  readonly store: Pick<FlowStore, 'head'>;
  readonly held: Run['held'];
  readonly runs: Pick<LocalRuns, 'get'>;
  readonly takeOver: (chatId: ChatId) => Promise<void>;
}): (chatId: ChatId) => Promise<void> {
  return async (chatId) => {
    const own = held.get(chatId);
    if (!own) return;
    const isStillHeld = () => held.get(chatId) === own;
    const head = await store.head(chatId);
    if (!isStillHeld()) return;
    const isSameTurn = head?.createdAt === own.createdAt && head.turnSeq === own.turnSeq;
    if (isSameTurn && head.status === 'waiting' && head.open === own.approvalId) return;
    if (isSameTurn && head.status === 'active' && head.runId !== null) {
      const { runId } = head;
      if (!runs.get(runId)) await takeOver(chatId);
      // Its run takes the calls.
      if (!isStillHeld() || runs.get(runId)) return;
    }
    held.remove(chatId);
    for (const one of own.calls) void one.abandon();
  };
}
