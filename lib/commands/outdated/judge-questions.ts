import { type ApprovalId, errorFacts, type Question } from '../../protocol/index.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
import type { Engine } from '../../run/engine.ts';
import { missingForTurn } from '../../run/lease/missing-for-turn.ts';
import { openTurnOf } from '../../run/question/open-turn.ts';
import { isOutdated } from '../../run/question/outdated.ts';

const judgedInParallel = 8;
/** How many results a process keeps. A question whose result was dropped is evaluated again on the next read. */
const mostKept = 10_000;

/**
 * Finds out which open questions this process would now ask differently. A question follows from the settings
 * and its arguments, so a process judges each one once. With `prepareCall`, settings may also change while it
 * runs; this is detected when the question is answered.
 *
 * @source ADR 0020
 */
export function createQuestionJudge(engine: Engine) {
  const { store, clock, logger } = engine;
  const judged = new Map<ApprovalId, boolean>();
  const since = new Map<ApprovalId, number>();

  async function isOutdatedQuestion(question: Question): Promise<boolean> {
    const { id, state, executor, waitsIn } = question;
    // The question of a running call is not a tool call. It ends with its process.
    if (state !== 'open' || executor === 'provider' || waitsIn) return false;
    const known = judged.get(id);
    // The reader may be behind the log, where the question may be settled by now.
    if (known !== undefined) return known && (await store.chats.head(question.chatId))?.open === id;
    const outdated = await judge(question);
    if (outdated === undefined) return false;
    const [oldest] = judged.size < mostKept ? [] : judged.keys();
    if (oldest) judged.delete(oldest);
    judged.set(id, outdated);
    if (outdated && !since.has(id)) since.set(id, clock.now());
    return outdated;
  }

  /** @returns nothing if it is no longer open */
  async function judge(question: Question): Promise<boolean | undefined> {
    const open = await openTurnOf(engine, question);
    if (!open) return undefined;
    // Asked again here, it would no longer say what the plugin said of it.
    if (missingForTurn(engine.settings, open.turn) !== undefined) return false;
    return isOutdated(await engine.forTurn(open), open.call);
  }

  /** A question that cannot be compared counts as current, with a log entry. */
  async function markOf(question: Question): Promise<{ outdated?: true }> {
    try {
      return (await isOutdatedQuestion(question)) ? { outdated: true } : {};
    } catch (error) {
      logger.warn('A question could not be compared with its tool.', {
        chatId: question.chatId,
        approvalId: question.id,
        error: errorFacts(error),
      });
      return {};
    }
  }

  function forget(id: ApprovalId): void {
    judged.delete(id);
    since.delete(id);
  }

  return {
    markOf,

    marksOf: (questions: readonly Question[]) => mapInParallel(questions, judgedInParallel, markOf),

    async judgeAll(questions: readonly Question[]): Promise<void> {
      for (const { id, state } of questions) if (state !== 'open') forget(id);
      await mapInParallel(questions, judgedInParallel, markOf);
    },

    forget,

    /** The outdated questions, each with the time at which this process found it, in milliseconds since 1970. */
    since: since as ReadonlyMap<ApprovalId, number>,
  };
}
