import type { FlowStore } from '../../log/store/index.ts';
import { type ApprovalId, type ChatId, errorFacts, type Logger } from '../../protocol/index.ts';
import type { LocalRuns } from '../local-runs.ts';
import type { Run } from '../run.ts';

type WatchParts = {
  readonly store: Pick<FlowStore, 'chats'>;
  readonly logger: Logger;
  readonly waiting: Run['waiting'];
  readonly runs: Pick<LocalRuns, 'get'>;
  /** Continues a run whose lease belongs to this instance. */
  readonly takeOver: (chatId: ChatId) => Promise<void>;
  readonly withdraw: (chatId: ChatId, approvalId: ApprovalId) => Promise<void>;
};

/** Another instance may have answered the question of a call that waits here, or ended its turn. @source ADR 0037 */
export function createWaitingWatch({ store, logger, waiting, runs, takeOver, withdraw }: WatchParts) {
  /** If it fails, the next sweep tries again. */
  async function withdrawQuestion(chatId: ChatId): Promise<void> {
    const own = waiting.get(chatId);
    if (!own) return;
    await withdraw(chatId, own.approvalId).catch((error: unknown) => {
      logger.warn('The question of a call could not be withdrawn.', { chatId, error: errorFacts(error) });
    });
  }

  async function check(chatId: ChatId): Promise<void> {
    const own = waiting.get(chatId);
    if (!own) return;
    const isStillWaiting = () => waiting.get(chatId) === own;
    const head = await store.chats.head(chatId);
    if (!isStillWaiting()) return;
    const isSameTurn = head?.createdAt === own.createdAt && head.turnSeq === own.turnSeq;
    if (isSameTurn && head.status === 'waiting' && head.open === own.approvalId) return;
    if (isSameTurn && head.status === 'active' && head.runId !== null) {
      const { runId } = head;
      if (!runs.get(runId)) await takeOver(chatId);
      // Its run takes the calls.
      if (!isStillWaiting() || runs.get(runId)) return;
    }
    waiting.remove(chatId);
    for (const one of own.calls) void one.abandon();
  }

  return {
    check,
    withdrawQuestion,

    /** Checks all chats, and withdraws questions that their calls no longer ask. */
    async checkAll(): Promise<void> {
      for (const chatId of waiting.chats()) {
        await check(chatId);
        const own = waiting.get(chatId);
        if (own && own.asking.question !== own.question) await withdrawQuestion(chatId);
      }
    },

    /** Withdraws all questions: the calls end with this process. */
    async withdrawAll(): Promise<void> {
      await Promise.all(waiting.chats().map(withdrawQuestion));
    },
  };
}
