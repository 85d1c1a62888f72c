import {
  type Append,
  type ChatHead,
  type ChatId,
  type Clock,
  createIds,
  errorFacts,
  type FlowEvent,
  type FlowStore,
  type Ids,
  type Logger,
  type Principal,
  type RunId,
  type Wake,
} from '../vocabulary/index.ts';
import { type Auditor, createAuditor } from './audit/auditor.ts';
import { closeTurn } from './close-turn.ts';
import { drive, type Run } from './drive.ts';
import { Conflict, createJournal, type Journal } from './journal.ts';
import { createReaders, type Readers } from './readers.ts';
import { createRunStops, type RunStops } from './run-stops.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { EmptyStepError } from './settle-step.ts';
import { createTails, type Tails } from './tails.ts';
import { createTranscripts, type Transcripts } from './transcripts.ts';
import { foldTurn, principalOf } from './turn.ts';
import type { FlowSettings } from './types.ts';
import { createWakes, type Wakes } from './wakes.ts';

const defaultLeaseMs = 10_000;
const defaultStopGraceMs = 5_000;

/** A run that this instance executes. */
type LocalRun = {
  readonly chatId: ChatId;
  readonly stops: RunStops;
  readonly done: Promise<void>;
};

/** What the parts of a flow share. */
export type Engine = {
  readonly settings: FlowSettings;
  readonly store: FlowStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly transcripts: Transcripts;
  readonly tails: Tails;
  readonly wakes: Wakes;
  readonly readers: Readers;
  readonly schemas: Schemas;
  /** Present when the flow has an audit key. */
  readonly auditor?: Auditor;
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
  const { clock, logger } = ports;
  const ids = createIds(ports.random);
  const transcripts = createTranscripts(store);
  const tails = createTails(store);
  const wakes = createWakes(store);
  const readers = createReaders(clock);
  const schemas = createSchemas();
  const owner = `flow_${ports.random()}`;
  const runs = new Map<RunId, LocalRun>();
  let closing = false;
  const auditor = settings.auditKey === undefined ? undefined : createAuditor(settings.auditKey);

  async function openJournal(head: ChatHead): Promise<Journal> {
    const events = head.seq === 0 ? [] : (tails.turnOf(head) ?? (await readTurn(head)));
    return createJournal({
      store: { append },
      clock,
      owner,
      leaseMs,
      head,
      turn: foldTurn(events),
      auditor,
      onEvent: (event) => transcripts.take(head.id, event),
    });
  }

  async function readTurn(head: ChatHead): Promise<readonly FlowEvent[]> {
    const events = await store.read(head.id, head.turnSeq - 1);
    tails.learn(head, events);
    return events;
  }

  /** What became durable here is told here, and is not read again. */
  async function append(batch: Append): ReturnType<FlowStore['append']> {
    const { chatId, head, events } = batch;
    const outcome = await tails.write(batch, () => store.append(batch));
    if (outcome !== 'appended') return outcome;
    for (const event of events) transcripts.take(chatId, event);
    wakes.tell(chatId, { reason: 'append', seq: head.seq });
    return outcome;
  }

  function start(journal: Journal, runId: RunId, principal: Principal, task = drive): LocalRun {
    const chatId = journal.head.id;
    const stops = createRunStops();
    if (closing) stops.leave();
    const endHeartbeat = keepLease(journal, runId, stops);
    const done = goOn(journal, runId, principalOf(journal.turn, principal), stops, task).finally(() => {
      endHeartbeat();
      runs.delete(runId);
    });
    const run = { chatId, stops, done };
    runs.set(runId, run);
    return run;
  }

  async function goOn(
    journal: Journal,
    runId: RunId,
    principal: Principal,
    stops: RunStops,
    task: (run: Run) => Promise<void>,
  ): Promise<void> {
    const chatId = journal.head.id;
    try {
      await task({
        settings,
        clock,
        ids,
        chatId,
        runId,
        principal,
        journal,
        transcripts,
        readers,
        schemas,
        stops,
      });
    } catch (error) {
      await endEarly(journal, runId, stops.stopSignal, error).catch((cause: unknown) => {
        transcripts.forget(chatId);
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

  /** Says that this owner lives, and hears when another instance asks to stop the run. */
  function keepLease(journal: Journal, runId: RunId, stops: RunStops): () => void {
    const chatId = journal.head.id;
    let cancel: () => void;
    const beat = () => {
      // A lease that is being given back must not be taken again.
      if (closing) return;
      cancel = clock.after(leaseMs / 3, beat);
      // The lease comes with the run's start: before that is durable there is none to lose.
      if (journal.head.runId !== runId) return;
      const now = clock.now();
      Promise.all([
        store.claimLease(chatId, { owner, until: now + leaseMs }, now),
        store.stopRequested(chatId, runId),
      ])
        .then(([held, stopRequested]) => {
          if (!held) stops.stop(new Conflict(`Run ${runId} has another owner.`));
          else if (stopRequested) stops.stop();
        })
        .catch((error: unknown) =>
          logger.warn('A lease could not be renewed.', { chatId, runId, error: errorFacts(error) }),
        );
    };
    cancel = clock.after(leaseMs / 3, beat);
    return () => cancel();
  }

  async function recover(): Promise<void> {
    const now = clock.now();
    for (const chatId of await store.orphans(now)) {
      if (!(await store.claimLease(chatId, { owner, until: now + leaseMs }, now))) continue;
      const head = await store.head(chatId);
      if (head?.status !== 'active' || head.runId === null || runs.has(head.runId)) continue;
      const journal = await openJournal(head);
      const starter = (await store.read(chatId, head.turnSeq - 1)).findLast(
        (event) => event.type === 'run-started',
      );
      if (starter?.type !== 'run-started') continue;
      if (await store.stopRequested(chatId, head.runId)) {
        start(journal, head.runId, starter.by, endAtOnce).stops.stop();
      } else start(journal, head.runId, starter.by);
    }
  }

  /** Nothing of an erased chat stays in memory, and its run ends here if another instance erased it. */
  async function forgetErased({ chatId, reason }: Wake): Promise<void> {
    if (reason !== 'erase') return;
    transcripts.forget(chatId);
    const local = [...runs].filter(([, run]) => run.chatId === chatId);
    if (local.length === 0) return;
    // Under the same id a new chat may have begun already.
    const head = await store.head(chatId);
    for (const [runId, run] of local) if (head?.runId !== runId) run.stops.stop();
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
    tails.close();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(settings.stopGraceMs ?? defaultStopGraceMs, resolve);
    await Promise.race([Promise.all([...runs.values()].map(({ done }) => done)), late]);
    cancel();
  }

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
