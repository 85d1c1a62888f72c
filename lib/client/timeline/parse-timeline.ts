import { isRecord } from '../../protocol/json.ts';
import type {
  TimelineJson,
  TimelineSpanJson,
  TimelineSummaryJson,
  TimelineTurnJson,
} from '../../protocol/wire/chat/timeline.ts';
import { parseResolution } from '../calls/resolution.ts';
import {
  anyItems,
  anyOf,
  anything,
  flag,
  number,
  object,
  oneOf,
  optional,
  partial,
  text,
  time,
} from '../http/read-wire.ts';
import { readAnswer, readPerson, readState } from '../read-question.ts';

/** The kind of work or wait that a span measures. */
export type SpanKind = TimelineSpan['kind'];

/** State of a span. `running` and `open` (of a question) have no end yet. */
export type SpanState = TimelineSpan['state'];

/** One span of a chat's timeline, as on the wire: times are ISO 8601 in UTC, durations milliseconds. */
export type TimelineSpan = TimelineSpanJson;

/** What began a turn. */
export type TimelineTurn = TimelineTurnJson;

/** The figures above the waterfall. Durations are milliseconds. */
export type TimelineSummary = TimelineSummaryJson;

/**
 * The response to `GET /api/chat/{chatId}/timeline`. `aheadMs`: how far the server's clock is ahead of this
 * machine's, in milliseconds, if the response had a `Date`. Ongoing spans are measured by the server's clock.
 */
export type Timeline = TimelineJson & { readonly aheadMs?: number };

const noFigures: TimelineSummary = {
  questions: 0,
  approved: 0,
  denied: 0,
  withdrawn: 0,
  waitingMs: 0,
  modelMs: 0,
  toolMs: 0,
  calls: 0,
  retries: 0,
  failures: 0,
};

const readSpan = object<TimelineSpan>({
  id: text,
  runId: text,
  turn: number,
  label: text,
  startedAt: time,
  kind: oneOf('model', 'waiting', 'tool', 'retry'),
  state: anyOf<SpanState>(oneOf('running', 'completed', 'failed'), readState),
  endedAt: optional(time),
  durationMs: optional(number),
  toolCallId: optional(text),
  toolName: optional(text),
  input: anything,
  output: anything,
  error: optional(text),
  answer: optional(readAnswer),
  resolved: optional(parseResolution),
  automatic: optional(
    object<NonNullable<TimelineSpan['automatic']>>({ approved: flag, reason: optional(text) }),
  ),
  approvedEarly: optional(object({ by: readPerson, at: time })),
  usage: optional(
    object<NonNullable<TimelineSpan['usage']>>({
      inputTokens: optional(number),
      outputTokens: optional(number),
      cachedInputTokens: optional(number),
      cacheWriteTokens: optional(number),
      reasoningTokens: optional(number),
    }),
  ),
});

const readTurn = object<TimelineTurn>({
  turn: number,
  startedAt: time,
  by: optional(readPerson),
  text,
});

const readSummary = partial<TimelineSummary>({
  questions: number,
  approved: number,
  denied: number,
  withdrawn: number,
  medianWaitMs: optional(number),
  waitingMs: number,
  modelMs: number,
  toolMs: number,
  calls: number,
  retries: number,
  failures: number,
});

const readTimeline = object<TimelineJson>({
  chatId: text,
  status: oneOf('idle', 'active', 'waiting', 'failed'),
  turns: (value) => anyItems(value)?.flatMap((turn) => readTurn(turn) ?? []),
  spans: (value) => anyItems(value)?.flatMap((span) => readSpan(span) ?? []),
  summary: (value) => (isRecord(value) ? { ...noFigures, ...readSummary(value) } : undefined),
});

/**
 * Parses a timeline; `undefined` when the value is not one. Skips spans of unknown kinds, which a newer server may
 * send.
 */
export const parseTimeline: (value: unknown) => Timeline | undefined = readTimeline;
