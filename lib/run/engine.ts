import { createFlowClock, createSkewWatch, type FlowClock } from '../log/flow-clock.ts';
import { createCheckpoints } from '../log/flow-log/checkpoints.ts';
import { createFlowLog, type FlowLog } from '../log/flow-log/flow-log.ts';
import { createPauses, type Pauses } from '../log/flow-log/pauses.ts';
import { Conflict, createJournal, type Journal, Stopped } from '../log/journal.ts';
import { createWakes, type Wakes } from '../log/notifications.ts';
import { createReaders, type Readers } from '../log/readers.ts';
import { createTails, type Tails } from '../log/recent-events.ts';
import { createRunLease, momentOf } from '../log/run-lease.ts';
import { type Auditor, createAuditor } from '../log/seal/auditor.ts';
import type { Append, AppendResult, ChatHead, FlowStore, Wake } from '../log/store-port.ts';
import { currentAsker, foldTurn, principalOf, type Turn } from '../log/turn.ts';
import {
  type ChatId,
  type Clock,
  createIds,
  errorFacts,
  type Ids,
  type Logger,
  type Principal,
  type RunId,
} from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { asNow } from '../settings/former-ids.ts';
import { createTranscripts, type Transcripts } from '../views/transcripts.ts';
import { createSchemas, type Schemas } from './call/schemas.ts';
import { createStartCheck } from './call/start-check.ts';
import { closeTurn } from './close-turn.ts';
import { drive, type Run } from './drive.ts';
import { keepLease } from './keep-lease.ts';
import { createLateOutcomes, type LateOutcomes } from './outcomes/late-outcomes.ts';
import { createRecentOutcomes, type RecentOutcomes } from './outcomes/recent-outcomes.ts';
import { resolveOutcome } from './outcomes/resolve-outcome.ts';
import { marksOf } from './question/repeats.ts';
import { createRunStops, type RunStops } from './run-stops.ts';
import { EmptyStepError } from './step/settle-step.ts';

const defaultLeaseMs = 10_000;
const defaultStopGraceMs = 5_000;

/** A run that this instance executes. */
type LocalRun = {
  readonly chatId: ChatId;
  /** As far as its log is durable; `seq` 0 before the chat is. */
  readonly head: () => ChatHead;
  readonly stops: RunStops;
  readonly done: Promise<void>;
};

/** What the parts of a flow share. */
export type Engine = {
  readonly settings: FlowSettings;
  readonly store: FlowStore;
  readonly clock: FlowClock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly transcripts: Transcripts;
  readonly tails: Tails;
  readonly wakes: Wakes;
  readonly readers: Readers;
  readonly schemas: Schemas;
  /** Present when the flow has an audit key. */
  readonly auditor?: Auditor;
  readonly flowLog: FlowLog;
  readonly pauses: Pauses;
  readonly recentOutcomes: RecentOutcomes;
  /** Makes the checkpoint that is due, if one is. */
  readonly checkpoint: () => Promise<void>;
  /** What this process knows of calls whose run is not its own any more. */
  readonly lateOutcomes: LateOutcomes;
  /** Appends a batch in this instance's name. What became durable is fed to local readers and transcripts. */
  append(batch: Omit<Append, 'id' | 'owner'>): Promise<AppendResult>;
  /** A writer that stands on this head, with the open turn read and folded. */
  openJournal(head: ChatHead): Promise<Journal>;
  /**
   * Goes on with a run in the background: to its next question or end, or as the given task does.
   * It goes on for whoever asked for the turn; the given principal is who made it go on. Call it right after committing the run's start, without waiting: what comes first shares that append.
   */
  start(journal: Journal, runId: RunId, principal: Principal, task?: (run: Run) => Promise<void>): LocalRun;
  /** A run, if this instance executes it. */
  local(runId: RunId): LocalRun | undefined;
  /** Takes over runs whose lease has ended. */
  recover(): Promise<void>;
  close(): Promise<void>;
};

/** Runs go on in here, one a chat, whoever reads them. @source DESIGN, "One run at a time per chat" */
export function createEngine(
  settings: FlowSettings,
  ports: { clock: Clock; logger: Logger; random: () => string },
): Engine {
  const { store, leaseMs = defaultLeaseMs } = settings;
  const { logger } = ports;
  const clock = createFlowClock(store, ports.clock);
  const watchSkew = createSkewWatch(clock, logger);
  const ids = createIds(ports.random);
  const transcripts = createTranscripts(store);
  const tails = createTails(store);
  const wakes = createWakes(store);
  const readers = createReaders(clock);
  const schemas = createSchemas();
  const owner = `flow_${ports.random()}`;
  const runs = new Map<RunId, LocalRun>();
  const recentOutcomes = createRecentOutcomes((runId) => runs.has(runId));
  /** Chats whose runs are being taken over right now. */
  const taking = new Set<ChatId>();
  let closing = false;
  let closed = false;
  let batches = 0;
  const auditor = settings.auditKey === undefined ? undefined : createAuditor(settings.auditKey);

  const flowLog = createFlowLog({ store, clock, logger, owner, seals: auditor?.seals });
  const pauses = createPauses(flowLog, { wakes, logger });
  const { checkpointMs } = settings;
  const checkpoint = auditor
    ? createCheckpoints({ log: flowLog, store, clock, checkpointMs })
    : () => Promise.resolve();

  async function openJournal(head: ChatHead): Promise<Journal> {
    await clock.sure();
    const lease = createRunLease({
      clock,
      leaseMs,
      renewUntil: (until, now) => store.claimLease(head.id, { owner, until }, now),
    });
    return createJournal({
      store: { append },
      clock,
      owner,
      leaseMs,
      lease,
      head,
      turn: await readTurn(head),
      readTurn,
      batchId,
      auditor,
      marksOf: (events, turn) => marksOf(settings, events, turn),
      mayRetry: () => !closed,
      onLost: (ends) => {
        for (const { call, end } of ends) lateOutcomes.report(head, call, { outcome: 'ended', end });
      },
    });
  }

  async function readTurn(head: ChatHead): Promise<Turn> {
    const known = head.seq === 0 ? [] : tails.turnOf(head);
    if (known) return foldTurn(known);
    const events = await store.read(head.id, head.turnSeq - 1);
    tails.learn(head, events);
    return foldTurn(events);
  }

  function batchId(): string {
    batches += 1;
    return `${owner}.${batches}`;
  }

  /** Feeds local readers and transcripts from the append instead of reading it back. */
  async function append(batch: Append): ReturnType<FlowStore['append']> {
    const { chatId, head, events } = batch;
    const outcome = await tails.write(batch, () => store.append(batch));
    if (outcome !== 'appended') return outcome;
    for (const event of events) {
      transcripts.take(head, event);
      recentOutcomes.take(head, event);
    }
    wakes.tell(chatId, { reason: 'append', seq: head.seq });
    return outcome;
  }

  function start(journal: Journal, runId: RunId, principal: Principal, task = drive): LocalRun {
    const chatId = journal.head.id;
    const stops = createRunStops();
    if (closing) stops.leave();
    const endHeartbeat = beginHeartbeat(journal, runId, stops);
    const done = goOn(journal, runId, principal, stops, task).finally(() => {
      endHeartbeat();
      runs.delete(runId);
    });
    const run = { chatId, head: () => journal.head, stops, done };
    runs.set(runId, run);
    return run;
  }

  async function goOn(
    journal: Journal,
    runId: RunId,
    acting: Principal,
    stops: RunStops,
    task: (run: Run) => Promise<void>,
  ): Promise<void> {
    const chatId = journal.head.id;
    const { by, asker } = journal.turn;
    const who = asNow(settings, acting);
    const asked = {
      ...(by && { by: asNow(settings, by) }),
      ...(asker && { asker: asNow(settings, asker) }),
    };
    try {
      await task({
        settings,
        clock,
        ids,
        chatId,
        runId,
        principal: principalOf(asked, who),
        asker: currentAsker(asked, who),
        journal,
        transcripts,
        readers,
        schemas,
        stops,
        check: createStartCheck({ chatId, journal, store, clock, leaseMs, logger }),
        logger,
        onLate: (call, late) => lateOutcomes.report(journal.head, call, late),
        auditor,
        pauses,
        recentOutcomes,
      });
    } catch (error) {
      // Refused by the store, which has heard of the stop first.
      if (error instanceof Stopped) stops.stop();
      await endEarly(journal, runId, stops.stopSignal, error).catch((cause: unknown) => {
        if (!(cause instanceof Conflict))
          logger.error('A run could not be ended.', { chatId, runId, error: errorFacts(cause) });
      });
    }
  }

  async function endEarly(
    journal: Journal,
    runId: RunId,
    stopSignal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    if (error instanceof Conflict) throw error;
    if (stopSignal.reason instanceof Conflict) throw stopSignal.reason;
    if (stopSignal.aborted) {
      const reason = 'stopped';
      return journal.commit(runId, ...closeTurn(journal.turn, 'cancelled'), {
        type: 'run-cancelled',
        reason,
      });
    }
    if (closing) {
      // Another instance finds an open run without an owner, and goes on with it from what had come to its end.
      await journal.commit(runId);
      await store.claimLease(journal.head.id, { owner, until: 0 }, clock.now());
      return;
    }
    logger.error('A run failed.', { chatId: journal.head.id, runId, error: errorFacts(error) });
    const text =
      error instanceof EmptyStepError
        ? 'The model ended without an answer. Try again.'
        : 'The model call failed. Try again.';
    return journal.commit(runId, ...closeTurn(journal.turn, 'failed'), { type: 'run-failed', error: text });
  }

  function beginHeartbeat(journal: Journal, runId: RunId, stops: RunStops): () => void {
    const chatId = journal.head.id;
    return keepLease({
      clock,
      logger,
      leaseMs,
      facts: { chatId, runId },
      isDue() {
        // A lease that is being given back must not be taken again.
        if (closing) return 'ends';
        // The lease comes with the run's start: before that is durable there is none to lose.
        return journal.head.runId === runId;
      },
      async look() {
        const [held, stopRequested] = await Promise.all([
          journal.lease.renew(),
          store.stopRequested(chatId, runId),
        ]);
        if (!held) stops.stop(new Conflict(`Run ${runId} has another owner.`));
        else if (stopRequested) stops.stop();
      },
    });
  }

  async function recover(): Promise<void> {
    const now = await clock.sure();
    watchSkew();
    for (const chatId of await store.orphans(now)) {
      // A lease that this instance holds is given to it again: two looks at the same moment would both go on.
      if (taking.has(chatId)) continue;
      taking.add(chatId);
      await takeOver(chatId).finally(() => taking.delete(chatId));
    }
  }

  async function takeOver(chatId: ChatId): Promise<void> {
    await clock.sure();
    const from = momentOf(clock);
    const { wall: now } = from;
    if (!(await store.claimLease(chatId, { owner, until: now + leaseMs }, now))) return;
    const head = await store.head(chatId);
    if (head?.status !== 'active' || head.runId === null || runs.has(head.runId)) return;
    const journal = await openJournal(head);
    journal.lease.taken(from);
    const starter = (await store.read(chatId, head.turnSeq - 1)).findLast(
      (event) => event.type === 'run-started',
    );
    if (starter?.type !== 'run-started') return;
    if (await store.stopRequested(chatId, head.runId)) {
      start(journal, head.runId, starter.by, endAtOnce).stops.stop();
    } else start(journal, head.runId, starter.by);
  }

  /** Nothing of an erased chat stays in memory, and its run ends here if another instance erased it. */
  async function forgetErased({ chatId, reason }: Wake): Promise<void> {
    if (reason !== 'erase') return;
    transcripts.forget(chatId);
    recentOutcomes.forget(chatId);
    const local = [...runs.values()].filter((run) => run.chatId === chatId);
    if (local.length === 0) return;
    // Under the same id a new chat may have begun already, or be about to.
    const head = await store.head(chatId);
    for (const run of local) {
      const { seq, createdAt } = run.head();
      if (seq > 0 && head?.createdAt !== createdAt) run.stops.stop();
    }
  }

  /** A stop that was asked for on another instance. */
  async function heedStop({ chatId, reason }: Wake): Promise<void> {
    if (reason !== 'stop') return;
    for (const [runId, run] of runs) {
      if (run.chatId === chatId && (await store.stopRequested(chatId, runId))) run.stops.stop();
    }
  }

  const endListening = store.subscribe((wake) => {
    // The heartbeat finds out as well, only later.
    Promise.all([forgetErased(wake), heedStop(wake)]).catch(() => {});
  });

  async function close(): Promise<void> {
    closing = true;
    for (const { stops } of runs.values()) stops.leave();
    endListening();
    pauses.close();
    tails.close();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(settings.stopGraceMs ?? defaultStopGraceMs, resolve);
    const ended = Promise.all([...runs.values()].map(({ done }) => done));
    await Promise.race([ended.then(() => lateOutcomes.delivered()), late]);
    cancel();
    closed = true;
    lateOutcomes.close();
  }

  const appendOwned = (batch: Omit<Append, 'id' | 'owner'>) => append({ ...batch, id: batchId(), owner });
  const lateOutcomes = createLateOutcomes({
    clock,
    logger,
    wakes,
    resolve: (report, place) => resolveOutcome({ store, append: appendOwned, auditor, clock }, report, place),
  });

  return {
    settings,
    store,
    clock,
    ids,
    logger,
    transcripts,
    tails,
    wakes,
    readers,
    schemas,
    auditor,
    flowLog,
    pauses,
    recentOutcomes,
    checkpoint,
    lateOutcomes,
    append: appendOwned,
    openJournal,
    start,
    local: (runId) => runs.get(runId),
    recover,
    close,
  };
}

/** The task of a run that was asked to stop while it had no owner. */
async function endAtOnce({ stops }: Run): Promise<void> {
  // The signal is aborted as soon as the run is there.
  await Promise.resolve();
  stops.stopSignal.throwIfAborted();
}
