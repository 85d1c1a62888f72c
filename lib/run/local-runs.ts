import { Conflict, Stopped } from '../log/conflict.ts';
import type { Journal } from '../log/journal.ts';
import type { ChatHead, FlowStore, StoreChange } from '../log/store/index.ts';
import { currentAsker, principalOf } from '../log/turn/turn.ts';
import { type ChatId, type EventBody, errorFacts, type Principal, type RunId } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { createTextKeeper } from './call/result/keep-text.ts';
import { createStartCheck } from './call/start-check.ts';
import { createPartWriter, type WritePart } from './data/write-part.ts';
import { drive } from './drive.ts';
import type { EngineParts } from './engine-parts.ts';
import { beginHeartbeat } from './lease/begin-heartbeat.ts';
import { keepAlive } from './lease/keep-alive.ts';
import { missingForTurn } from './lease/missing-for-turn.ts';
import type { Watched } from './observing/observers.ts';
import type { LateOutcomes } from './outcomes/late-outcomes.ts';
import { prepared, settingsOfJournal } from './prepare-run.ts';
import type { Run } from './run.ts';
import { endEarly } from './stops/end-early.ts';
import { createRunStops, type RunStops } from './stops/run-stops.ts';
import { beginTimeLimits, type TimeLimits } from './stops/time-limits.ts';

/** A run that this instance executes. */
export type LocalRun = {
  readonly chatId: ChatId;
  /** The durable end of its log; `seq` 0 before the chat is durable. */
  readonly head: () => ChatHead;
  readonly stops: RunStops;
  readonly write: WritePart;
  readonly done: Promise<void>;
};

/** What a run does. */
type Task = (run: Run) => Promise<void>;

/** How a run starts: by default with `drive`, and with settings that it prepares itself. */
type RunStart = { readonly task?: Task; readonly settings?: FlowSettings };

type NewRun = RunStart & { readonly runId: RunId; readonly principal: Principal };

type WatchedStart = RunStart & { readonly watch: Watched };

type LocalRunsById = ReadonlyMap<RunId, LocalRun>;

type LocalRunParts = EngineParts & {
  readonly owner: string;
  readonly leaseMs: number;
  readonly lateOutcomes: Pick<LateOutcomes, 'report'>;
  readonly waiting: Run['waiting'];
};

/** The runs that this instance executes. They continue without a reader. */
export function createLocalRuns(parts: LocalRunParts) {
  const { store, settings, clock, logger, observers } = parts;
  const runs = new Map<RunId, LocalRun>();
  let closing = false;

  function start(
    journal: Journal,
    runId: RunId,
    principal: Principal,
    { task = drive, settings: own, watch }: WatchedStart,
  ): LocalRun {
    const stops = createRunStops();
    if (closing) stops.leave();
    const endHeartbeat = beginHeartbeat(parts, { journal, runId, stops, isClosing: () => closing });
    const limits = beginTimeLimits(settings, clock, stops);
    const run = runOf(parts, journal, runId, principal, { stops, limits, watch });
    const work = { task, settings: own ?? settingsOfJournal(settings, journal) };
    const ran = watch.bind(execute)(run, work, () => (closing ? parts.owner : undefined));
    const done = ran.finally(() => {
      limits.end();
      endHeartbeat();
      runs.delete(runId);
      watch.end();
    });
    const local = { chatId: run.chatId, head: () => journal.head, stops, write: run.write, done };
    runs.set(runId, local);
    const ended = () => done.then(() => parts.callbacks.finished(run.chatId));
    keepAlive(settings, ended, { chatId: run.chatId, runId, logger });
    return local;
  }

  /**
   * Makes the start of a run durable, in one append with what comes first in it, and runs it in the background: to its
   * next question or end, or as `task` does. Without a task, a turn that has begun is left to another instance if it needs a plugin
   * that is missing here.
   *
   * @param principal who made the run start. It acts for the person who asked for the turn
   * @param settings those of the turn, if the caller has used them
   * @returns when its start is durable. `done`: when the run has ended here
   * @throws Conflict
   */
  async function begin(
    journal: Journal,
    { runId, principal, ...given }: NewRun,
    ...opening: readonly EventBody[]
  ): Promise<Pick<LocalRun, 'done'>> {
    if (given.task === undefined && isForOthers(parts, journal, opening)) {
      await journal.commit(runId, ...opening);
      return { done: release(parts, journal.head.id) };
    }
    const place = { chatId: journal.head.id, runId };
    const { watch, events } = observers.begin(place, journal.turn, opening);
    const how = { ...given, watch };
    const durable = journal.commit(runId, ...events);
    const run = start(journal, runId, principal, how);
    await durable;
    return run;
  }

  return {
    /** A run, if this instance executes it. */
    get: (runId: RunId): LocalRun | undefined => runs.get(runId),

    /** Continues a run that this instance has taken over. Its start is durable. */
    takeOver(journal: Journal, runId: RunId, principal: Principal, how: RunStart = {}): LocalRun {
      const place = { chatId: journal.head.id, runId };
      return start(journal, runId, principal, { ...how, watch: observers.takeOver(place, journal.turn) });
    },

    begin,

    /**
     * Begins a run that continues a suspended turn. If a call in another process asked, that process
     * continues: it gets the lease, and finds the run at its next check.
     *
     * @throws Conflict
     * @source ADR 0037
     */
    async resume(journal: Journal, run: NewRun, ...opening: readonly EventBody[]): Promise<void> {
      const owner = journal.turn.waitsFor?.asked?.waitsIn?.owner;
      if (owner === undefined || owner === parts.owner) await begin(journal, run, ...opening);
      else await journal.handOver(owner, run.runId, ...opening);
    },

    /** Reacts to changes that other instances make to chats whose runs are here. */
    async onNotification({ chatId, reason }: StoreChange): Promise<void> {
      if (reason === 'erase') await endErased(store, runs, chatId);
      if (reason === 'stop') await endStopped(store, runs, chatId);
    },

    /** Releases the runs: each ends at its next durable point. @returns when all have ended */
    async leave(): Promise<void> {
      closing = true;
      const ending = [...runs.values()];
      for (const { stops } of ending) stops.leave();
      await Promise.all(ending.map(({ done }) => done));
    },
  };
}

/** Whether a turn continues only where a plugin is that is missing here. A call that waits here runs already. */
function isForOthers(
  { settings, waiting }: LocalRunParts,
  { turn, head }: Journal,
  opening: readonly EventBody[],
): boolean {
  if (missingForTurn(settings, turn) === undefined || waiting.get(head.id)) return false;
  return !opening.some((event) => event.type === 'run-started' && event.asker !== undefined);
}

/** Ends the lease, so that another instance takes the run over at once. If this fails, the lease ends by itself. */
async function release({ store, clock, owner, logger }: LocalRunParts, chatId: ChatId): Promise<void> {
  await store.runs.claimLease(chatId, { owner, until: 0 }, clock.now()).catch((error: unknown) => {
    logger.warn('A lease could not be released.', { chatId, error: errorFacts(error) });
  });
}

/** Does the work of a run, and ends it early if that fails. @param leaving set if this instance is closing */
async function execute(
  run: Run,
  { task, settings }: { readonly task: Task; readonly settings: FlowSettings | Promise<FlowSettings> },
  leaving: () => string | undefined,
): Promise<void> {
  try {
    // Without `prepareCall` nothing is awaited, so that the first events share the append of the start.
    run.settings = settings instanceof Promise ? await prepared(settings, run.stops.stepSignal) : settings;
    await task(run);
  } catch (error) {
    // The store refused an append because of a stop that this instance does not know of yet.
    if (Stopped.is(error)) run.stops.stop();
    await endEarly(run, error, leaving()).catch((cause: unknown) => {
      const { chatId, runId, logger } = run;
      if (!Conflict.is(cause))
        logger.error('A run could not be ended.', { chatId, runId, error: errorFacts(cause) });
    });
  }
}

export type LocalRuns = ReturnType<typeof createLocalRuns>;

function runOf(
  parts: LocalRunParts,
  journal: Journal,
  runId: RunId,
  acting: Principal,
  own: Pick<Run, 'stops' | 'watch'> & { readonly limits: TimeLimits },
): Run {
  const { store, clock, leaseMs, logger, lateOutcomes, readers } = parts;
  const chatId = journal.head.id;
  return {
    ...parts,
    chatId,
    runId,
    principal: principalOf(journal.turn),
    asker: currentAsker(journal.turn, acting),
    acting,
    journal,
    ...own,
    check: createStartCheck({ chatId, journal, store, clock, leaseMs, logger }),
    write: createPartWriter({ chatId, runId, journal, readers, clock }),
    keepText: createTextKeeper({ store, journal, clock, logger }),
    onLate: (call, late) => lateOutcomes.report(journal.head, call, late),
  };
}

/** Ends the runs of an erased chat, if another instance erased it. */
async function endErased(store: FlowStore, runs: LocalRunsById, chatId: ChatId): Promise<void> {
  const local = [...runs.values()].filter((run) => run.chatId === chatId);
  if (local.length === 0) return;
  // A new chat may already have the same id.
  const head = await store.chats.head(chatId);
  for (const run of local) {
    const { seq, createdAt } = run.head();
    if (seq > 0 && head?.createdAt !== createdAt) run.stops.stop();
  }
}

/** Ends the runs of a chat that another instance was asked to stop. */
async function endStopped(store: FlowStore, runs: LocalRunsById, chatId: ChatId): Promise<void> {
  for (const [runId, run] of runs) {
    if (run.chatId === chatId && (await store.runs.stopRequested(chatId, runId))) run.stops.stop();
  }
}
