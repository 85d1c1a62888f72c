import type { FlowClock } from '../log/flow-clock.ts';
import type { Pauses } from '../log/flow-log/pauses.ts';
import type { Readers } from '../log/follow/readers.ts';
import type { Journal } from '../log/journal.ts';
import type { Auditor } from '../log/seal/auditor.ts';
import type { Call } from '../log/turn/turn.ts';
import type { CallProcess, ChatId, Ids, Logger, Principal, RunId } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import type { Transcript } from '../views/transcript.ts';
import type { Transcripts } from '../views/transcripts.ts';
import type { WaitingCalls } from './asking/waiting-calls.ts';
import type { Schemas } from './call/input/schemas.ts';
import type { KeepText } from './call/result/keep-text.ts';
import type { StartCheck } from './call/start-check.ts';
import type { CalledBack } from './callbacks/callbacks.ts';
import type { WritePart } from './data/write-part.ts';
import type { Watched } from './observing/observers.ts';
import type { LateOutcome } from './outcomes/late-outcomes.ts';
import type { RecentOutcomes } from './outcomes/recent-outcomes.ts';
import type { PromptFits } from './prompt/prompt-fits.ts';
import type { RunStops } from './stops/run-stops.ts';
import type { TimeLimits } from './stops/time-limits.ts';

/** Everything that one run needs. */
export type Run = {
  /** Those of its turn. A context that `prepareStep` returns replaces the one before. */
  settings: FlowSettings;
  readonly clock: FlowClock;
  readonly ids: Ids;
  readonly thisProcess: CallProcess;
  /** Calls that wait for answers in this process. */
  readonly waiting: WaitingCalls<Run>;
  readonly chatId: ChatId;
  readonly runId: RunId;
  /** Who asked for the turn, as recorded then: for tools. */
  readonly principal: Principal;
  /** The same person as currently known, for rules about answering. */
  readonly asker: Principal;
  /** Who caused this run to start, as known then: the asker, or the person who answered. */
  readonly acting: Principal;
  readonly journal: Journal;
  readonly transcripts: Transcripts;
  readonly readers: Readers;
  readonly schemas: Schemas;
  readonly prompts: PromptFits;
  readonly stops: RunStops;
  readonly limits: Pick<TimeLimits, 'beginStep'>;
  /** Whether its calls may start. @source ADR 0019 */
  readonly check: StartCheck;
  readonly logger: Logger;
  /** Receives outcomes that become known after a call's end was recorded. */
  readonly onLate: (call: Call, late: LateOutcome) => void;
  /** Present when the flow has an audit key. */
  readonly auditor?: Auditor;
  readonly pauses: Pauses;
  readonly recentOutcomes: RecentOutcomes;
  readonly callbacks: CalledBack;
  readonly watch: Watched;
  readonly write: WritePart;
  readonly keepText: KeepText;
};

/** The model's input in a run: the durable log, and what becomes durable with it. */
export type RunTranscript = Pick<Transcript, 'messages' | 'hasCall' | 'firstRunId'>;
