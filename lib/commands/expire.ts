import type { Journal } from '../log/journal.ts';
import type { ChatHead } from '../log/store/index.ts';
import { type Call, callOfQuestion } from '../log/turn/turn.ts';
import {
  type ApprovalId,
  type ChatId,
  type EventBody,
  errorFacts,
  type Principal,
  type Question,
} from '../protocol/index.ts';
import { mayRead } from '../rights/permissions.ts';
import type { Engine, TurnEngine } from '../run/engine.ts';
import { retryOnConflict } from '../run/retry-on-conflict.ts';
import { runStart } from '../run/run-start.ts';
import { askAgain } from './answer/ask-again.ts';

export async function isDue({ clock }: Engine, { state, deadline }: Question): Promise<boolean> {
  return state === 'open' && deadline !== undefined && deadline <= (await clock.sure());
}

/**
 * Ends a question at its deadline, as it says: by default it is denied. Any instance may, and the first wins.
 *
 * @source ADR 0048
 */
export async function expireIfDue(engine: Engine, question: Question): Promise<void> {
  if (!(await isDue(engine, question))) return;
  const { id, chatId, askedBy } = question;
  for (const before of engine.hooks.beforeExpiry) await before(question);
  await retryOnConflict(engine, chatId, async () => {
    const [head, current] = await Promise.all([
      engine.store.chats.head(chatId),
      engine.store.questions.read(id),
    ]);
    if (!head || !current || !(await isDue(engine, current))) return true;
    const journal = await engine.openJournal(head);
    const call = callOfQuestion(journal.turn, id);
    // The question may have been read before its answer was written, and the head after it.
    if (!call || head.open !== id) return true;
    const isAskedAgain = call.asked?.atDeadline === 'ask-again';
    const asking = isAskedAgain && (await engineOfTurn(engine, journal, question));
    if (asking) {
      await askAgain(asking, journal, { call, why: 'unanswered' }, askedBy);
      return true;
    }
    const runId = engine.ids.run();
    const start = runStart(journal, askedBy);
    await engine.resume(journal, { runId, principal: askedBy }, start, ...ended(call, id));
    return true;
  });
}

/** Expires at most `limit` due questions, longest overdue first. One that fails is left for the next sweep. */
export async function expireDue(engine: Engine, limit: number): Promise<void> {
  const { store, clock, logger } = engine;
  for (const question of await store.questions.due(await clock.sure(), limit)) {
    await expireIfDue(engine, question).catch((error: unknown) => {
      const { id: approvalId, chatId } = question;
      logger.warn('A question could not be expired.', { chatId, approvalId, error: errorFacts(error) });
    });
  }
}

/** A chat's head, after expiring a due question. A request by a person who may not see the chat changes nothing. */
export async function currentHead(
  engine: Engine,
  principal: Principal,
  chatId: ChatId,
): Promise<ChatHead | undefined> {
  const head = await engine.store.chats.head(chatId);
  if (!head?.open || isKnownOpen(engine, head)) return head;
  const question = await engine.store.questions.read(head.open);
  if (!question || !(await isDue(engine, question))) return head;
  if (!(await mayRead(engine.settings, principal, head))) return head;
  await expireIfDue(engine, question);
  return engine.store.chats.head(chatId);
}

/** True if this instance has just written the question, and its deadline has not passed. */
function isKnownOpen({ recentEvents, clock }: Engine, head: ChatHead): boolean {
  const asked = recentEvents
    .turnOf(head)
    ?.findLast((event) => event.type === 'approval-requested' && event.approvalId === head.open);
  if (asked?.type !== 'approval-requested') return false;
  return asked.deadline === undefined || asked.deadline > (clock.known() ?? Number.POSITIVE_INFINITY);
}

/** If the settings of the turn cannot be made, the question cannot be asked again, and is denied. */
async function engineOfTurn(
  engine: Engine,
  journal: Journal,
  { id: approvalId, chatId }: Question,
): Promise<TurnEngine | undefined> {
  try {
    return await engine.forTurn(journal);
  } catch (error) {
    const facts = { chatId, approvalId, error: errorFacts(error) };
    engine.logger.error('A question could not be asked again, and is denied.', facts);
    return undefined;
  }
}

function ended({ asked, requested: { toolCallId } }: Call, approvalId: ApprovalId): EventBody[] {
  const reason = asked?.atDeadline === 'withdraw' ? 'withdrawn' : 'expired';
  const what = reason === 'withdrawn' ? '. It was neither approved nor denied.' : '.';
  const modelOutput = {
    type: 'execution-denied' as const,
    reason: `${reason}: nobody answered in time${what}`,
  };
  return [
    { type: 'approval-withdrawn', approvalId, toolCallId, reason },
    { type: 'tool-denied', toolCallId, reason, withdrawn: reason, modelOutput },
  ];
}
