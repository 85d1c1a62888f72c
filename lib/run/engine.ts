import { createSkewWatch } from '../log/flow-clock.ts';
import { createCheckpoints } from '../log/flow-log/checkpoints.ts';
import type { Journal } from '../log/journal.ts';
import type { Append, AppendResult, ChatHead } from '../log/store/index.ts';
import { principalOf } from '../log/turn/turn.ts';
import { atMost } from '../protocol/clock/sleep.ts';
import type { TurnFacts } from '../settings/call/call-context.ts';
import { defaultLeaseMs, defaultStopGraceMs } from '../settings/default-times.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { createWaitingCalls } from './asking/waiting-calls.ts';
import { createWaitingWatch } from './asking/watch-waiting.ts';
import { withdraw } from './asking/withdraw.ts';
import { createEngineParts, type EngineParts, type EnginePorts } from './engine-parts.ts';
import { createTakeOver } from './lease/take-over.ts';
import { createLocalRuns, type LocalRuns } from './local-runs.ts';
import { createJournalOpener } from './open-journal.ts';
import { createLateOutcomes } from './outcomes/late-outcomes.ts';
import { resolveOutcome } from './outcomes/record-outcome.ts';
import { settingsOfJournal } from './prepare-run.ts';
import type { Run } from './run.ts';

/** What commands work with: the shared parts, writers of logs, and the runs of this instance. */
export type Engine = EngineParts & {
  /** Appends a batch in this instance's name. */
  append(batch: Omit<Append, 'id' | 'owner'>): Promise<AppendResult>;
  /** A writer for a chat's log as of this head, with the open turn read and folded. */
  openJournal(head: ChatHead): Promise<Journal>;
  /**
   * This engine with the settings of a chat's open turn, which apply to its question.
   *
   * @throws unknown what `prepareCall` throws; CountersignError `invalid-settings`, `internal`
   */
  forTurn(journal: Pick<Journal, 'turn' | 'head'>): Promise<TurnEngine>;
  /** The settings of a turn, if this engine has used them: the run that follows reuses them. */
  readonly prepared?: FlowSettings;
  /** @see LocalRuns */
  readonly begin: LocalRuns['begin'];
  /** @see LocalRuns */
  readonly resume: LocalRuns['resume'];
  /** A run, if this instance executes it. */
  readonly local: LocalRuns['get'];
  /** Makes the checkpoint that is due, if one is. */
  readonly checkpoint: () => Promise<void>;
  /** Takes over runs whose lease has ended. */
  recover(): Promise<void>;
  close(): Promise<void>;
};

/** An engine with the settings of one turn. @source ADR 0030 */
export type TurnEngine = Engine & TurnFacts;

/** Puts the parts of a flow together. At most one run is active in a chat, whether or not it has readers. */
export function createEngine(settings: FlowSettings, ports: EnginePorts): Engine {
  const { leaseMs = defaultLeaseMs, stopGraceMs = defaultStopGraceMs, checkpointMs } = settings;
  const { parts, log } = createEngineParts(settings, ports, (runId) => runs.get(runId) !== undefined);
  const { store, clock, logger, auditor, notifications, flowLog, observers } = parts;
  const { owner } = log;
  const watchSkew = createSkewWatch(clock, logger);
  let closed = false;
  const append = async (batch: Omit<Append, 'id' | 'owner'>) => {
    const result = await log.append({ ...batch, id: log.batchId() });
    if (result === 'appended')
      observers.recorded(
        batch.chatId,
        batch.events.map((event) => ({ event })),
      );
    return result;
  };
  const lateOutcomes = createLateOutcomes({
    clock,
    logger,
    notifications,
    resolve: (report, place) => resolveOutcome({ store, append, auditor, clock }, report, place),
  });
  const waiting = createWaitingCalls<Run>((chatId) => void waitingWatch.withdrawQuestion(chatId));
  const runs = createLocalRuns({ ...parts, owner, leaseMs, lateOutcomes, waiting });
  const openJournal = createJournalOpener({
    ...{ ...parts, log, leaseMs, lateOutcomes },
    mayRetry: () => !closed,
  });
  const { takeOver, takeOverAll } = createTakeOver({
    ...{ settings, store, clock, logger, owner, leaseMs, runs, waiting, openJournal },
  });
  const waitingWatch = createWaitingWatch({
    ...{ store, logger, waiting, runs, takeOver },
    withdraw: (chatId, approvalId) => withdraw(engine, chatId, approvalId),
  });

  const endListening = store.subscribe((change) => {
    if (change.reason === 'erase') {
      parts.transcripts.forget(change.chatId);
      parts.recentOutcomes.forget(change.chatId);
    }
    // If this fails, the next heartbeat checks again.
    runs.onNotification(change).catch(() => {});
    waitingWatch.check(change.chatId).catch(() => {});
  });

  const engine: Engine = {
    ...parts,
    append,
    openJournal,

    async forTurn({ turn, head }) {
      const own = await settingsOfJournal(parts.settings, { turn, head });
      return { ...engine, settings: own, prepared: own, principal: principalOf(turn), chatId: head.id };
    },

    begin: runs.begin,
    resume: runs.resume,
    local: runs.get,
    checkpoint: auditor
      ? createCheckpoints({ log: flowLog, store, clock, checkpointMs })
      : () => Promise.resolve(),

    async recover() {
      await clock.sure();
      watchSkew();
      await takeOverAll();
      await waitingWatch.checkAll();
    },

    async close() {
      // The questions of waiting calls end with this process. The calls may still finish.
      if (waiting.chats().length > 0) await atMost(clock, stopGraceMs, waitingWatch.withdrawAll());
      const ended = runs.leave();
      endListening();
      parts.pauses.close();
      parts.recentEvents.close();
      const finished = ended.then(() => Promise.all([lateOutcomes.delivered(), parts.callbacks.finished()]));
      await atMost(clock, stopGraceMs, finished);
      closed = true;
      lateOutcomes.close();
    },
  };
  return engine;
}
