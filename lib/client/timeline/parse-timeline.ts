import { isRecord } from '../../protocol/json.ts';
import type { Person, QuestionAnswer } from '../question.ts';

const kinds = ['model', 'waiting', 'tool', 'retry'] as const;
const states = [
  'running',
  'open',
  'completed',
  'failed',
  'approved',
  'denied',
  'superseded',
  'expired',
  'cancelled',
  'tool-changed',
] as const;
const statuses = ['idle', 'active', 'waiting', 'failed'] as const;

/** What took the time. */
export type SpanKind = (typeof kinds)[number];

/** State of a span. `running` and `open` (of a question) have no end yet. */
export type SpanState = (typeof states)[number];

/** State of the chat. `active` and `waiting` are ongoing. */
export type TimelineStatus = (typeof statuses)[number];

/** One span of a chat's timeline, as on the wire: times are ISO 8601 in UTC, durations milliseconds. */
export type TimelineSpan = {
  readonly id: string;
  readonly runId: string;
  /** Counts from 1. */
  readonly turn: number;
  readonly kind: SpanKind;
  readonly label: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly durationMs?: number;
  readonly state: SpanState;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: string;
  readonly answer?: QuestionAnswer;
  readonly automatic?: { readonly approved: boolean; readonly reason?: string };
  /** Present when the outcome was unknown at first and became known later. */
  readonly resolved?: {
    readonly source: 'late' | 'lookup' | 'person';
    readonly outcome: 'completed' | 'failed' | 'not-run';
    readonly at: string;
    readonly by?: Person;
    readonly note?: string;
  };
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
};

/** What began a turn. */
export type TimelineTurn = {
  readonly turn: number;
  readonly startedAt: string;
  readonly by?: Person;
  readonly text: string;
};

/** The figures above the waterfall. Durations are milliseconds. */
export type TimelineSummary = {
  readonly questions: number;
  readonly approved: number;
  readonly denied: number;
  readonly withdrawn: number;
  readonly medianWaitMs?: number;
  readonly waitingMs: number;
  readonly modelMs: number;
  readonly toolMs: number;
  readonly calls: number;
  readonly retries: number;
  readonly failures: number;
};

/** What `GET /api/chat/{chatId}/timeline` gives. */
export type Timeline = {
  readonly chatId: string;
  readonly status: TimelineStatus;
  readonly turns: readonly TimelineTurn[];
  readonly spans: readonly TimelineSpan[];
  readonly summary: TimelineSummary;
};

/**
 * Parses a timeline; `undefined` when the value is not one. Skips spans of unknown kinds, which a newer server may
 * send.
 */
export function parseTimeline(value: unknown): Timeline | undefined {
  if (!isRecord(value) || !isRecord(value.summary)) return undefined;
  const { chatId, turns, spans } = value;
  const status = statuses.find((known) => known === value.status);
  if (typeof chatId !== 'string' || !status || !Array.isArray(turns) || !Array.isArray(spans))
    return undefined;
  return {
    chatId,
    status,
    turns: turns.filter(isTurn),
    spans: spans.filter(isSpan),
    summary: summaryOf(value.summary),
  };
}

function isSpan(value: unknown): value is TimelineSpan {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.turn === 'number' &&
    kinds.some((known) => known === value.kind) &&
    states.some((known) => known === value.state) &&
    typeof value.label === 'string' &&
    isTime(value.startedAt) &&
    (value.endedAt === undefined || isTime(value.endedAt))
  );
}

function isTurn(value: unknown): value is TimelineTurn {
  return (
    isRecord(value) &&
    typeof value.turn === 'number' &&
    isTime(value.startedAt) &&
    typeof value.text === 'string'
  );
}

function summaryOf(given: Readonly<Record<string, unknown>>): TimelineSummary {
  const figure = (name: string) => (typeof given[name] === 'number' ? given[name] : 0);
  return {
    questions: figure('questions'),
    approved: figure('approved'),
    denied: figure('denied'),
    withdrawn: figure('withdrawn'),
    ...(typeof given.medianWaitMs === 'number' && { medianWaitMs: given.medianWaitMs }),
    waitingMs: figure('waitingMs'),
    modelMs: figure('modelMs'),
    toolMs: figure('toolMs'),
    calls: figure('calls'),
    retries: figure('retries'),
    failures: figure('failures'),
  };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
