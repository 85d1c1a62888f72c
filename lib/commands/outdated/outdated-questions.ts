import type { Instance } from '../../log/store/index.ts';
import { callOfQuestion } from '../../log/turn/turn.ts';
import { type ApprovalId, errorFacts, type Question } from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import { retryOnConflict } from '../../run/retry-on-conflict.ts';
import { defaultLeaseMs, defaultSweepMs } from '../../settings/default-times.ts';
import { askAgain } from '../answer/ask-again.ts';
import { createQuestionJudge } from './judge-questions.ts';
import { createLostQuestions } from './lost-questions.ts';
import { createPluginWatch } from './other-plugins.ts';

/** How many questions one sweep reads, and how many it asks again. */
const batchSize = 100;
/** How many outdated questions an instance reports. It reports the others when these are settled. */
const mostAnnounced = 1_000;

/**
 * Finds open questions that this process would now ask differently, and asks them again.
 *
 * A sweep finds those that were open when the process started, page by page, and later ones through the feed
 * of changes. It reports them to the other instances, and asks a question again when every live instance has
 * reported it for the length of a lease. So a rolling deployment asks once.
 *
 * @source ADR 0020
 */
export function createOutdatedQuestions(engine: Engine) {
  const { store, clock, logger } = engine;
  const { sweepMs = defaultSweepMs, leaseMs = defaultLeaseMs } = engine.settings;
  const judge = createQuestionJudge(engine);
  const { plugins, compare } = createPluginWatch(engine);
  const lost = createLostQuestions(engine, 3 * sweepMs);
  const findNew = createSearch(engine, async (questions) => {
    lost.note(questions);
    await judge.judgeAll(questions);
  });
  let announced = false;

  async function announce(): Promise<readonly Instance[]> {
    const now = await clock.sure();
    announced = true;
    const outdated = Object.fromEntries([...judge.since].slice(0, mostAnnounced));
    return store.instances.announce(
      { id: engine.thisProcess.instance, until: now + 3 * sweepMs, outdated, plugins },
      now,
    );
  }

  async function agreed(instances: readonly Instance[]): Promise<ApprovalId[]> {
    const before = (await clock.sure()) - leaseMs;
    return [...judge.since.keys()].filter((id) =>
      instances.every(({ outdated }) => (outdated[id] ?? Number.POSITIVE_INFINITY) <= before),
    );
  }

  return {
    markOf: judge.markOf,
    marksOf: judge.marksOf,

    async sweep(): Promise<void> {
      await findNew();
      const instances = await announce();
      compare(instances);
      await lost.withdraw(instances);
      for (const id of (await agreed(instances)).slice(0, batchSize)) {
        try {
          await askOutdated(engine, id);
          judge.forget(id);
        } catch (error) {
          logger.warn('A question could not be asked again.', { approvalId: id, error: errorFacts(error) });
        }
      }
    },

    /** Withdraws this instance's reports, so that the others decide without it. */
    async close(): Promise<void> {
      if (announced) await store.instances.retire(engine.thisProcess.instance).catch(() => {});
    },
  };
}

export type OutdatedQuestions = ReturnType<typeof createOutdatedQuestions>;

/** Each call evaluates one more page of the questions that were open at the start, and those that have changed since. */
function createSearch(
  { store }: Engine,
  judgeAll: (questions: readonly Question[]) => Promise<void>,
): () => Promise<void> {
  let older: { cursor?: string } | 'done' = {};
  let change: number | undefined;

  return async () => {
    change ??= await store.questions.lastChange();
    if (older !== 'done') {
      const page = await store.questions.list({ state: 'open', ...older, limit: batchSize });
      await judgeAll(page.items);
      older = page.next === undefined ? 'done' : { cursor: page.next };
    }
    const changes = await store.questions.changes(change, batchSize);
    await judgeAll(changes.map(({ question }) => question));
    change = changes.at(-1)?.change ?? change;
  };
}

async function askOutdated(engine: Engine, id: ApprovalId): Promise<void> {
  const question = await engine.store.questions.read(id);
  if (question?.state !== 'open') return;
  const { chatId, askedBy } = question;
  await retryOnConflict(engine, chatId, async () => {
    const head = await engine.store.chats.head(chatId);
    if (head?.open !== id) return true;
    const journal = await engine.openJournal(head);
    const call = callOfQuestion(journal.turn, id);
    if (call && !call.answered && !call.withdrawn) {
      const ofTurn = await engine.forTurn(journal);
      await askAgain(ofTurn, journal, { call, why: 'tool-changed' }, askedBy);
    }
    return true;
  });
}
