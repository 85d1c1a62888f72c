import type { Instance } from '../../log/store/index.ts';
import { type ApprovalId, errorFacts, type Question } from '../../protocol/index.ts';
import { withdraw } from '../../run/asking/withdraw.ts';
import type { Engine } from '../../run/engine.ts';

/** Finds questions of calls whose process has ended. @param graceMs until a process has announced itself @source ADR 0037 */
export function createLostQuestions(engine: Engine, graceMs: number) {
  const { clock, logger } = engine;
  const waiting = new Map<ApprovalId, Question>();

  return {
    /** Adds questions that running calls ask, and removes settled ones. */
    note(questions: readonly Question[]): void {
      for (const question of questions) {
        if (question.state !== 'open') waiting.delete(question.id);
        else if (question.waitsIn) waiting.set(question.id, question);
      }
    },

    /** @param live all live instances */
    async withdraw(live: readonly Instance[]): Promise<void> {
      const before = (await clock.sure()) - graceMs;
      for (const { id, chatId, waitsIn, requestedAt } of waiting.values()) {
        if (requestedAt > before || live.some((instance) => instance.id === waitsIn?.instance)) continue;
        try {
          await withdraw(engine, chatId, id);
          waiting.delete(id);
        } catch (error) {
          const facts = { chatId, approvalId: id, error: errorFacts(error) };
          logger.warn('The question of a call could not be withdrawn.', facts);
        }
      }
    },
  };
}
