import type { Answer, ChatId, JsonValue, Person, RunId, ToolCallId } from '../../protocol/index.ts';
import type {
  TimelineJson,
  TimelineSpanJson,
  TimelineSummaryJson,
  TimelineTurnJson,
} from '../../protocol/wire/chat/timeline.ts';
import type { ResolutionJson } from '../../protocol/wire/resolution.ts';

/** One span of a chat's timeline. Times are epoch milliseconds. */
export type TimelineSpan = Omit<
  TimelineSpanJson,
  | 'runId'
  | 'startedAt'
  | 'endedAt'
  | 'toolCallId'
  | 'input'
  | 'output'
  | 'answer'
  | 'approvedEarly'
  | 'resolved'
> & {
  readonly runId: RunId;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly toolCallId?: ToolCallId;
  /** As in the question, or as executed. */
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  /** Present when a person answered the question. */
  readonly answer?: Answer;
  /** Present when the call was approved before its question was due. `at`: when it was approved. */
  readonly approvedEarly?: { readonly by: Person; readonly at: number };
  /** Present when the outcome was unknown at first and became known later. */
  readonly resolved?: Omit<ResolutionJson, 'at'> & { readonly at: number };
};

/** What began a turn: a message, or a request to regenerate the response to it. `startedAt`: epoch milliseconds. */
export type TimelineTurn = Omit<TimelineTurnJson, 'startedAt'> & { readonly startedAt: number };

/** The figures above the waterfall. Durations are milliseconds, each the sum of its spans unless said otherwise. */
export type TimelineSummary = TimelineSummaryJson;

/** A chat's log as spans of time, in the order in which they began. */
export type Timeline = {
  readonly chatId: ChatId;
  readonly status: TimelineJson['status'];
  readonly turns: readonly TimelineTurn[];
  readonly spans: readonly TimelineSpan[];
  readonly summary: TimelineSummary;
};
