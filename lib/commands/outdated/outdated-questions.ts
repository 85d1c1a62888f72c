import type { Instance } from '../../log/store-port.ts';
import { foldTurn } from '../../log/turn/fold-turn.ts';
import { callOfQuestion } from '../../log/turn/turn.ts';
import { type ApprovalId, errorFacts, type Question } from '../../protocol/index.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
import type { Engine } from '../../run/engine.ts';
import { isOutdated } from '../../run/question/outdated.ts';
import { retryOnConflict } from '../../run/retry-on-conflict.ts';
import { askAgain } from '../answer/ask-again.ts';
import { bindQuestion } from './bind-question.ts';

const defaultSweepMs = 3_000;
const defaultLeaseMs = 10_000;

/** How many questions one sweep checks, and how many it asks again. */
const batchSize = 100;
/** How many outdated questions an instance reports at a time. The others follow when these are settled. */
const mostAnnounced = 1_000;
const judgedAtOnce = 8;
/** How many results of checks a process caches. */
const mostKept = 10_000;

/**
 * The open questions that this process would ask otherwise. What a question is about follows from the settings and its
 * arguments, so each is judged once in the life of a process.
 *
 * A sweep finds them, the ones that were open at boot page by page, later ones by the feed of changes; names them to the other
 * instances; and asks those again that every live instance has named for the time of a lease. So a deploy that takes a
 * while does not ask back and forth.
 *
 * @source ADR 0020
 */
export function createOutdatedQuestions(engine: Engine) {
  const { store, clock, settings, logger } = engine;
  const { sweepMs = defaultSweepMs, leaseMs = defaultLeaseMs } = settings;
  const instanceId = engine.ids.run().replace('run', 'instance');
  const judged = new Map<ApprovalId, boolean>();
  const since = new Map<ApprovalId, number>();
  let boot: { cursor?: string } | 'done' = {};
  let change: number | undefined;
  let announced = false;

  async function isOutdatedQuestion(question: Question): Promise<boolean> {
    const { id, state, executor } = question;
    if (state !== 'open' || executor === 'provider') return false;
    const known = judged.get(id);
    // A reader of an older place in the log takes for open what is settled since.
    if (known !== undefined) return known && (await store.head(question.chatId))?.open === id;
    const outdated = await judge(question);
    if (outdated === undefined) return false;
    const [oldest] = judged.size < mostKept ? [] : judged.keys();
    if (oldest) judged.delete(oldest);
    judged.set(id, outdated);
    if (outdated && !since.has(id)) since.set(id, clock.now());
    return outdated;
  }

  /** Binds a question that was asked without a digest. @returns nothing for a question that is no longer open */
  async function judge({ id, chatId }: Question): Promise<boolean | undefined> {
    const head = await store.head(chatId);
    if (!head || head.open !== id) return undefined;
    const events = engine.recentEvents.turnOf(head) ?? (await store.read(chatId, head.turnSeq - 1));
    const call = callOfQuestion(foldTurn(events), id);
    if (!call?.asked || call.answered || call.withdrawn) return undefined;
    if (call.asked.digest !== undefined || call.bound) return isOutdated(engine, call);
    await bindQuestion(engine, head, call);
    return undefined;
  }

  /** For readers: a question that cannot be compared now is not marked. */
  async function markOf(question: Question): Promise<{ outdated?: true }> {
    const outdated = await isOutdatedQuestion(question).catch((error: unknown) => {
      warn(question, error);
      return false;
    });
    return outdated ? { outdated } : {};
  }

  function forget(id: ApprovalId): void {
    judged.delete(id);
    since.delete(id);
  }

  async function look(questions: readonly Question[]): Promise<void> {
    await mapInParallel(questions, judgedAtOnce, async (question) => {
      if (question.state !== 'open') return forget(question.id);
      // A question that cannot be read now is checked when it is opened.
      await isOutdatedQuestion(question).catch((error: unknown) => warn(question, error));
    });
  }

  function warn({ id: approvalId, chatId }: Pick<Question, 'id' | 'chatId'>, error: unknown): void {
    logger.warn('A question could not be compared with its tool.', {
      chatId,
      approvalId,
      error: errorFacts(error),
    });
  }

  async function lookOnce(): Promise<void> {
    change ??= await store.lastQuestionChange();
    if (boot !== 'done') {
      const page = await store.questions({ state: 'open', ...boot, limit: batchSize });
      await look(page.items);
      boot = page.next === undefined ? 'done' : { cursor: page.next };
    }
    const changes = await store.questionChanges(change, batchSize);
    await look(changes.map(({ question }) => question));
    change = changes.at(-1)?.change ?? change;
  }

  async function announce(): Promise<readonly Instance[]> {
    const now = await clock.sure();
    announced = true;
    const outdated = Object.fromEntries([...since].slice(0, mostAnnounced));
    return store.announce({ id: instanceId, until: now + 3 * sweepMs, outdated }, now);
  }

  /** Questions that all instances have considered outdated for the duration of a lease. */
  async function agreed(instances: readonly Instance[]): Promise<ApprovalId[]> {
    const before = (await clock.sure()) - leaseMs;
    return [...since.keys()].filter((id) =>
      instances.every(({ outdated }) => (outdated[id] ?? Number.POSITIVE_INFINITY) <= before),
    );
  }

  async function askOutdated(id: ApprovalId): Promise<void> {
    const question = await store.question(id);
    if (question?.state !== 'open') return forget(id);
    const { chatId, askedBy } = question;
    await retryOnConflict(engine, chatId, async () => {
      const head = await store.head(chatId);
      if (head?.open !== id) return true;
      const journal = await engine.openJournal(head);
      const call = callOfQuestion(journal.turn, id);
      if (call && !call.answered && !call.withdrawn) {
        await askAgain(engine, journal, call, 'tool-changed', askedBy);
      }
      return true;
    });
    forget(id);
  }

  return {
    markOf,

    /** The marks of each of these questions, in their order. */
    marksOf: (questions: readonly Question[]) => mapInParallel(questions, judgedAtOnce, markOf),

    /** One sweep. */
    async sweep(): Promise<void> {
      await lookOnce();
      const instances = await announce();
      for (const id of (await agreed(instances)).slice(0, batchSize)) {
        await askOutdated(id).catch((error: unknown) =>
          logger.warn('A question could not be asked again.', {
            approvalId: id,
            error: errorFacts(error),
          }),
        );
      }
    },

    /** Withdraws this instance's reports, so that the others decide without it. */
    async close(): Promise<void> {
      if (announced) await store.retire(instanceId).catch(() => {});
    },
  };
}

/** @see createOutdatedQuestions */
export type OutdatedQuestions = ReturnType<typeof createOutdatedQuestions>;
