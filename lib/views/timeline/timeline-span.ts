import type { Answer, ChatId, JsonValue, Person, RunId, ToolCallId, Usage } from '../../protocol/index.ts';

/** What took the time: the model, a person, a tool, or the pause before a tool was tried again. */
export type SpanKind = 'model' | 'waiting' | 'tool' | 'retry';

/** The state of a span. `running` and `open` (of a question) have no end yet; all others are final. */
export type SpanState =
  | 'running'
  | 'open'
  | 'completed'
  | 'failed'
  | 'approved'
  | 'denied'
  | 'superseded'
  | 'expired'
  | 'cancelled'
  | 'tool-changed';

/** One stretch of a chat's time. Times are epoch milliseconds. */
export type TimelineSpan = {
  /** Unique within the chat, and the same whenever the timeline is read. */
  readonly id: string;
  readonly runId: RunId;
  /** Counts from 1 over the chat's messages. A regenerated answer is a turn of its own. */
  readonly turn: number;
  readonly kind: SpanKind;
  /** For people: what will happen, the tool's name, or which step of the model this is. */
  readonly label: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly durationMs?: number;
  readonly state: SpanState;
  readonly toolCallId?: ToolCallId;
  readonly toolName?: string;
  /** As asked about, or as executed. */
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly error?: string;
  /** Present for a question that a person answered. */
  readonly answer?: Answer;
  /** Set where no person was asked, but the gate decided. */
  readonly automatic?: { readonly approved: boolean; readonly reason?: string };
  /** Set where the call's outcome was not known as it ended, and became known later. */
  readonly resolved?: {
    readonly source: 'late' | 'lookup' | 'person';
    readonly outcome: 'completed' | 'failed' | 'not-run';
    readonly at: number;
    readonly by?: Person;
    readonly note?: string;
  };
  /** Tokens of a model step. */
  readonly usage?: Usage;
};

/** What began a turn: a message, or its regeneration. */
export type TimelineTurn = {
  readonly turn: number;
  readonly startedAt: number;
  readonly by?: Person;
  /** The message's text; of another answer, that of the message it answers. */
  readonly text: string;
};

/** The figures above the waterfall. Durations are milliseconds, each the sum of its spans unless said otherwise. */
export type TimelineSummary = {
  readonly questions: number;
  readonly approved: number;
  readonly denied: number;
  /** Expired, superseded or cancelled without an answer. */
  readonly withdrawn: number;
  /** Between question and answer, of those that were answered; left out when none was. */
  readonly medianWaitMs?: number;
  readonly waitingMs: number;
  readonly modelMs: number;
  readonly toolMs: number;
  /** Calls that were executed. */
  readonly calls: number;
  readonly retries: number;
  readonly failures: number;
};

/** A chat's log as stretches of time, in the order in which they began. */
export type Timeline = {
  readonly chatId: ChatId;
  /** `active` while a run executes; `waiting` for a person or for the page. */
  readonly status: 'idle' | 'active' | 'waiting' | 'failed';
  readonly turns: readonly TimelineTurn[];
  readonly spans: readonly TimelineSpan[];
  readonly summary: TimelineSummary;
};
