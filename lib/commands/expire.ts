import type { ChatHead } from '../log/store-port.ts';
import { callOfQuestion } from '../log/turn/turn.ts';
import { type ChatId, type EventBody, errorFacts, type Principal, type Question } from '../protocol/index.ts';
import { mayAccess } from '../rights/permissions.ts';
import type { Engine } from '../run/engine.ts';
import { retryOnConflict } from '../run/retry-on-conflict.ts';
import { continued } from './answer/continue-turn.ts';

/** True when nobody may answer this question any more, whether or not the log says so already. */
export async function isDue({ clock }: Engine, { state, deadline }: Question): Promise<boolean> {
  return state === 'open' && deadline !== undefined && deadline <= (await clock.sure());
}

/**
 * Denies a question whose deadline has passed, and lets its run go on. Any instance may do it, on a read or in
 * a sweep; the first one counts.
 *
 * @source H12
 */
export async function expireIfDue(engine: Engine, question: Question): Promise<void> {
  if (!(await isDue(engine, question))) return;
  const { id, chatId, askedBy } = question;
  await retryOnConflict(engine, chatId, async () => {
    const [head, current] = await Promise.all([engine.store.head(chatId), engine.store.question(id)]);
    if (!head || !current || !(await isDue(engine, current))) return true;
    const journal = await engine.openJournal(head);
    const call = callOfQuestion(journal.turn, id);
    if (!call) return true;
    const runId = engine.ids.run();
    const start = continued(journal, askedBy);
    await engine.begin(journal, { runId, principal: askedBy }, start, ...expired(question));
    return true;
  });
}

/**
 * Expires what is due, the longest due first, at most `limit` questions. One that cannot be settled now, since its
 * chat or the store fails, is logged and left for the next time; the others must not wait for it.
 */
export async function expireDue(engine: Engine, limit: number): Promise<void> {
  const { store, clock, logger } = engine;
  for (const question of await store.dueQuestions(await clock.sure(), limit)) {
    await expireIfDue(engine, question).catch((error: unknown) => {
      const { id: approvalId, chatId } = question;
      logger.warn('A question could not be expired.', { chatId, approvalId, error: errorFacts(error) });
    });
  }
}

/**
 * A chat's head, after what the clock has decided meanwhile. A request of somebody who may not see the chat changes
 * nothing in it.
 */
export async function currentHead(
  engine: Engine,
  principal: Principal,
  chatId: ChatId,
): Promise<ChatHead | undefined> {
  const head = await engine.store.head(chatId);
  if (!head?.open || isKnownOpen(engine, head)) return head;
  const question = await engine.store.question(head.open);
  if (!question || !(await isDue(engine, question))) return head;
  if (!(await mayAccess(engine.settings, principal, head))) return head;
  await expireIfDue(engine, question);
  return engine.store.head(chatId);
}

/** True when the question is in what this instance has just written, with time left. */
function isKnownOpen({ recentEvents, clock }: Engine, head: ChatHead): boolean {
  const asked = recentEvents
    .turnOf(head)
    ?.findLast((event) => event.type === 'approval-requested' && event.approvalId === head.open);
  if (asked?.type !== 'approval-requested') return false;
  return asked.deadline === undefined || asked.deadline > (clock.known() ?? Number.POSITIVE_INFINITY);
}

function expired({ id: approvalId, toolCallId }: Question): EventBody[] {
  const reason = 'expired';
  const modelOutput = { type: 'execution-denied' as const, reason: 'expired: nobody answered in time.' };
  return [
    { type: 'approval-withdrawn', approvalId, toolCallId, reason },
    { type: 'tool-denied', toolCallId, reason, withdrawn: reason, modelOutput },
  ];
}
