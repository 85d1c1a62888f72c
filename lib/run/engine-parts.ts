import { type ChatLog, createChatLog } from '../log/chat-log.ts';
import { createFlowClock, type FlowClock } from '../log/flow-clock.ts';
import { createFlowLog, type FlowLog } from '../log/flow-log/flow-log.ts';
import { createPauses, type Pauses } from '../log/flow-log/pauses.ts';
import type { Notifications } from '../log/follow/notifications.ts';
import { createReaders, type Readers } from '../log/follow/readers.ts';
import type { RecentEvents } from '../log/follow/recent-events.ts';
import { type Auditor, createAuditor } from '../log/seal/auditor.ts';
import type { FlowStore } from '../log/store/index.ts';
import {
  type CallProcess,
  type Clock,
  createIds,
  type Ids,
  type Logger,
  type Person,
  type Question,
  type RunId,
} from '../protocol/index.ts';
import type { RightsSettings } from '../rights/givers.ts';
import { createRateLimit, type RateLimit } from '../rights/rate-limit.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { withCurrentId } from '../settings/former-ids.ts';
import { createTranscripts, type Transcripts } from '../views/transcripts.ts';
import { createSchemas, type Schemas } from './call/input/schemas.ts';
import { type CalledBack, createCallbacks } from './callbacks/callbacks.ts';
import { createLogCallbacks } from './callbacks/log-callbacks.ts';
import type { Hooks } from './hooks.ts';
import { createObservers, type Observers } from './observing/observers.ts';
import { createRecentOutcomes, type RecentOutcomes } from './outcomes/recent-outcomes.ts';
import { createPromptFits, type PromptFits } from './prompt/prompt-fits.ts';

/** What all commands and runs of a flow share. */
export type EngineParts = {
  readonly settings: FlowSettings;
  readonly store: FlowStore;
  readonly clock: FlowClock;
  readonly ids: Ids;
  /** This process, for the questions of calls that it runs. */
  readonly thisProcess: CallProcess;
  readonly logger: Logger;
  readonly transcripts: Transcripts;
  readonly recentEvents: RecentEvents;
  readonly readTurn: ChatLog['readTurn'];
  readonly notifications: Notifications;
  readonly readers: Readers;
  readonly schemas: Schemas;
  readonly prompts: PromptFits;
  /** Present when the flow has an audit key. */
  readonly auditor?: Auditor;
  readonly flowLog: FlowLog;
  readonly pauses: Pauses;
  readonly recentOutcomes: RecentOutcomes;
  /** Of the effects that answers cause to be determined, over every transport. @source ADR 0040 */
  readonly previewLimit: RateLimit;
  readonly callbacks: CalledBack;
  readonly hooks: Hooks;
  readonly observers: Observers;
};

/** For each person: an answer may name any effect, and each time its tool's `preview` may query a database. */
const answersPreviewedPerMinute = 120;

/** Time, randomness and the program's log, as they come in from outside. */
export type EnginePorts = { readonly clock: Clock; readonly logger: Logger; readonly random: () => string };

/**
 * Transcripts, outcomes and callbacks take each event when it is durable.
 *
 * @param isRunHere whether this instance executes a run
 */
export function createEngineParts(
  settings: FlowSettings,
  { clock: timers, logger, random }: EnginePorts,
  isRunHere: (runId: RunId) => boolean,
): { parts: EngineParts; log: ChatLog } {
  const { store } = settings;
  const owner = `flow_${random()}`;
  const ids = createIds(random);
  const thisProcess = { owner, instance: ids.run().replace('run', 'instance') };
  const clock = createFlowClock(store, timers);
  const transcripts = createTranscripts(store);
  const recentOutcomes = createRecentOutcomes(isRunHere);
  const callbacks = createCallbacks(settings, logger);
  const callBack = createLogCallbacks({ settings, store }, callbacks);
  const currentPerson = <One extends Person>(person: One) => withCurrentId(settings, person);
  const { plugins = [] } = settings;
  const recordsOf = (question: Question) => plugins.flatMap(({ records }) => records?.(question) ?? []);
  const log = createChatLog(store, owner, currentPerson, recordsOf, (head, event) => {
    transcripts.take(head, event);
    recentOutcomes.take(head, event);
    callBack(head, event);
  });
  const { recentEvents, notifications } = log;
  const auditor = settings.auditKey === undefined ? undefined : createAuditor(settings.auditKey);
  const flowLog = createFlowLog({ store, clock, logger, owner, seals: auditor?.seals });
  const hooks: Hooks = {
    sweep: [],
    beforeExpiry: [],
    beforeErase: [],
    observers: [],
    givers: [],
    watchRights: [],
    details: [],
  };
  const rightsSettings: RightsSettings = { ...settings, givers: hooks.givers };
  const parts = {
    settings: rightsSettings,
    store,
    clock,
    logger,
    ids,
    thisProcess,
    transcripts,
    recentOutcomes,
    previewLimit: createRateLimit({ perMinute: answersPreviewedPerMinute, clock }),
    callbacks,
    hooks,
    observers: createObservers({ settings, hooks, logger }),
    recentEvents,
    readTurn: log.readTurn,
    notifications,
    readers: createReaders(clock),
    schemas: createSchemas(),
    prompts: createPromptFits(logger),
    auditor,
    flowLog,
    pauses: createPauses(flowLog, { notifications, logger }),
  };
  return { parts, log };
}
