import { nextEscalation } from '../log/turn/escalation.ts';
import { errorFacts, type Question } from '../protocol/index.ts';
import { appendChatEvent } from '../run/chat-event.ts';
import type { Engine } from '../run/engine.ts';
import { openTurnOf } from '../run/question/open-turn.ts';
import { retryOnConflict } from '../run/retry-on-conflict.ts';

/**
 * Records the steps and reminders of a question that are due, in the order of their times. Any instance may do it; the first
 * one wins. Nobody gains a right before a step is recorded.
 *
 * @source ADR 0048.4
 */
export async function escalateIfDue(engine: Engine, question: Question): Promise<void> {
  const { escalation, chatId } = question;
  if (escalation?.nextAt === undefined) return;
  await retryOnConflict(engine, chatId, async () => {
    const open = await openTurnOf(engine, question);
    const now = await engine.clock.sure();
    const next = open && nextEscalation(open.call, now);
    if (!open || !next || next.at > now) return true;
    // While a run is active, nothing waits for an answer.
    if (open.head.status === 'active') return true;
    await appendChatEvent(engine, open.head, open.call, next.body);
    // Another one may be due, and if nothing was written, somebody else was first.
    return undefined;
  });
}

/**
 * Escalates at most `limit` questions, longest overdue first. If one fails, the error is logged and the question is left for
 * the next sweep.
 */
export async function escalateDue(engine: Engine, limit: number): Promise<void> {
  const { store, clock, logger } = engine;
  if (!store.escalation) return;
  for (const question of await store.escalation.due(await clock.sure(), limit)) {
    await escalateIfDue(engine, question).catch((error: unknown) => {
      const { id: approvalId, chatId } = question;
      logger.warn('A question could not be escalated.', { chatId, approvalId, error: errorFacts(error) });
    });
  }
}
