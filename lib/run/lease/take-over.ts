import type { FlowClock } from '../../log/flow-clock.ts';
import type { Journal } from '../../log/journal.ts';
import { momentOf } from '../../log/run-lease.ts';
import type { ChatHead, FlowStore } from '../../log/store/index.ts';
import type { ChatId } from '../../protocol/index.ts';
import type { LocalRuns } from '../local-runs.ts';
import type { Run } from '../run.ts';

/**
 * Takes over runs whose lease has ended.
 *
 * @source ADR 0013
 */
export function createTakeOver(parts: {
  readonly store: FlowStore;
  readonly clock: FlowClock;
  readonly owner: string;
  readonly leaseMs: number;
  readonly runs: LocalRuns;
  readonly waiting: Pick<Run['waiting'], 'get'>;
  readonly openJournal: (head: ChatHead) => Promise<Journal>;
}) {
  const { store, clock, owner, leaseMs, runs, waiting, openJournal } = parts;
  /** Chats whose runs are being taken over right now. */
  const taking = new Map<ChatId, Promise<void>>();

  async function takeOver(chatId: ChatId): Promise<void> {
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
    } else runs.takeOver(journal, head.runId, startedBy);
  }

  /**
   * The store grants an owner its own lease again, so two concurrent checks would both start the run. The second waits for
   * the first, because it has to see the run.
   */
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
      for (const chatId of await store.runs.orphans(await clock.sure())) await takeOverOnce(chatId);
    },
  };
}

/** The task of a run that was asked to stop while it had no owner. */
async function endAtOnce({ stops }: Run): Promise<void> {
  // The caller aborts the signal when the run has begun.
  await Promise.resolve();
  stops.stopSignal.throwIfAborted();
}
