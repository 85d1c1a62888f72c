import type { FlowClock } from '../../log/flow-clock.ts';
import type { Journal } from '../../log/journal.ts';
import { momentOf } from '../../log/run-lease.ts';
import type { ChatHead, FlowStore } from '../../log/store/index.ts';
import type { ChatId, Logger, RunId } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { LocalRuns } from '../local-runs.ts';
import type { Run } from '../run.ts';
import { missingForTurn } from './missing-for-turn.ts';

/**
 * Takes over runs whose lease has ended. A run that needs a plugin that is missing here is left to an instance that has it.
 *
 * @source ADR 0013, ADR 0056
 */
export function createTakeOver(parts: {
  readonly settings: Pick<FlowSettings, 'plugins'>;
  readonly store: FlowStore;
  readonly logger: Logger;
  readonly clock: FlowClock;
  readonly owner: string;
  readonly leaseMs: number;
  readonly runs: LocalRuns;
  readonly waiting: Pick<Run['waiting'], 'get'>;
  readonly openJournal: (head: ChatHead) => Promise<Journal>;
}) {
  const { settings, store, clock, logger, owner, leaseMs, runs, waiting, openJournal } = parts;
  /** Chats whose runs are being taken over right now. */
  const taking = new Map<ChatId, Promise<void>>();
  /** Runs that are left to others, by their chats. Their leases are not taken again, so that others get them. */
  const left = new Map<ChatId, RunId>();

  async function isLeft(chatId: ChatId): Promise<boolean> {
    const runId = left.get(chatId);
    if (runId === undefined) return false;
    const head = await store.chats.head(chatId);
    const isSame = head?.status === 'active' && head.runId === runId;
    if (isSame && !(await store.runs.stopRequested(chatId, runId))) return true;
    left.delete(chatId);
    return false;
  }

  /** The lease is released, and the run stays active without an owner: a person can stop it. */
  async function leave(chatId: ChatId, runId: RunId, plugin: string): Promise<void> {
    left.set(chatId, runId);
    const text = 'A run is not taken over: a plugin that it needs is missing on this instance.';
    logger.error(text, { chatId, runId, plugin });
    await store.runs.claimLease(chatId, { owner, until: 0 }, momentOf(clock).wall);
  }

  async function takeOver(chatId: ChatId): Promise<void> {
    if (await isLeft(chatId)) return;
    await clock.sure();
    const from = momentOf(clock);
    const { wall: now } = from;
    if (!(await store.runs.claimLease(chatId, { owner, until: now + leaseMs }, now))) return;
    const head = await store.chats.head(chatId);
    if (head?.status !== 'active' || head.runId === null || runs.get(head.runId)) return;
    const journal = await openJournal(head);
    journal.lease.taken(from);
    const { startedBy } = journal.turn;
    if (!startedBy) return;
    if (await store.runs.stopRequested(chatId, head.runId)) {
      // A call that waits here is taken back first, so that it learns of the stop.
      const how = waiting.get(chatId) ? {} : { task: endAtOnce };
      runs.takeOver(journal, head.runId, startedBy, how).stops.stop();
      return;
    }
    // A call that waits here runs already. Leaving it would abort it in the middle.
    const missing = waiting.get(chatId) ? undefined : missingForTurn(settings, journal.turn);
    if (missing !== undefined) await leave(chatId, head.runId, missing);
    else runs.takeOver(journal, head.runId, startedBy);
  }

  /** The store grants an owner its own lease again, so concurrent checks wait for each other. */
  function takeOverOnce(chatId: ChatId): Promise<void> {
    const underWay = taking.get(chatId);
    if (underWay) return underWay;
    const own = takeOver(chatId).finally(() => taking.delete(chatId));
    taking.set(chatId, own);
    return own;
  }

  return {
    /** Continues the run of this chat, if its lease has ended or belongs to this instance. */
    takeOver: takeOverOnce,

    async takeOverAll(): Promise<void> {
      const orphans = await store.runs.orphans(await clock.sure());
      // Another instance may have one of them for a moment, and leave it again.
      for (const chatId of left.keys()) await isLeft(chatId);
      for (const chatId of orphans) await takeOverOnce(chatId);
    },
  };
}

/** The task of a run that was asked to stop while it had no owner. */
async function endAtOnce({ stops }: Run): Promise<void> {
  // The caller aborts the signal when the run has begun.
  await Promise.resolve();
  stops.stopSignal.throwIfAborted();
}
