import { z } from 'zod';
import {
  type TimelineJson,
  type TimelineSpanJson,
  type TimelineSummaryJson,
  type TimelineTurnJson,
  timelineSchema,
  timelineSpanSchema,
  timelineSummarySchema,
  timelineTurnSchema,
} from '../../protocol/wire/chat/timeline.ts';
import { readWire, tolerant } from '../http/read-wire.ts';

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

const readableSpan = tolerant(timelineSpanSchema);
const readableTurn = tolerant(timelineTurnSchema);
const readableSummary = tolerant(timelineSummarySchema.partial());
const readableTimeline = timelineSchema.extend({
  turns: z.array(z.unknown()),
  spans: z.array(z.unknown()),
  summary: z.looseObject({}),
});

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

/**
 * Parses a timeline; `undefined` when the value is not one. Skips spans of unknown kinds, which a newer server may
 * send.
 */
export function parseTimeline(value: unknown): Timeline | undefined {
  const timeline = readWire(readableTimeline, value);
  return (
    timeline && {
      ...timeline,
      turns: timeline.turns.flatMap((turn) => readWire(readableTurn, turn) ?? []),
      spans: timeline.spans.flatMap((span) => readWire(readableSpan, span) ?? []),
      summary: { ...noFigures, ...readWire(readableSummary, timeline.summary) },
    }
  );
}
