import type { Journal } from '../../log/journal.ts';
import type { ChatHead } from '../../log/store/index.ts';
import { type Call, callOfQuestion } from '../../log/turn/turn.ts';
import type { ApprovalId, ChatId, EventBody } from '../../protocol/index.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { LocalRuns } from '../local-runs.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { runStart } from '../run-start.ts';

type Withdrawing = Pick<EngineParts, 'store' | 'ids' | 'transcripts'> &
  Pick<LocalRuns, 'begin'> & { openJournal(head: ChatHead): Promise<Journal> };

/** Withdraws an open question of a running call, and continues its turn here. @source ADR 0037 */
export async function withdraw(engine: Withdrawing, chatId: ChatId, approvalId: ApprovalId): Promise<void> {
  await retryOnConflict(engine, chatId, async () => {
    const head = await engine.store.chats.head(chatId);
    if (head?.open !== approvalId) return true;
    const journal = await engine.openJournal(head);
    const call = callOfQuestion(journal.turn, approvalId);
    if (!call?.asked) return true;
    const principal = call.asked.askedBy;
    const run = { runId: engine.ids.run(), principal };
    await engine.begin(journal, run, runStart(journal, principal), ...withdrawal(call));
    return true;
  });
}

export function withdrawal({ asked, requested: { toolCallId } }: Call): EventBody[] {
  if (!asked) return [];
  const reason = 'cancelled';
  const modelOutput = { type: 'execution-denied' as const, reason: 'cancelled: nobody answered.' };
  return [
    { type: 'approval-withdrawn', approvalId: asked.approvalId, toolCallId, reason },
    { type: 'tool-denied', toolCallId, reason, withdrawn: reason, modelOutput },
  ];
}
