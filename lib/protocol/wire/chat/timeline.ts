import { z } from 'zod';
import { personSchema } from '../person.ts';
import { answerSchema, questionStateSchema } from '../question.ts';
import { resolutionSchema } from '../resolution.ts';
import { millisecondsSchema, timeSchema } from '../time.ts';
import type { Immutable, WireObject } from '../wire-object.ts';
import { chatStatusSchema } from './chat-status.ts';

const timelineTurnShape = {
  /** Counts from 1 over the chat's messages; a regenerated response is a turn of its own. */
  turn: z.int().positive(),
  startedAt: timeSchema,
  by: personSchema.optional(),
  /** The message's text. */
  text: z.string(),
};

const timelineTurnSchema = z.object(timelineTurnShape);

const timelineSpanShape = {
  /** Unique within the chat, and the same on every read. */
  id: z.string(),
  runId: z.string(),
  /** Counts from 1. */
  turn: z.int().nonnegative(),
  kind: z.enum(['model', 'waiting', 'tool', 'retry']),
  /** For people: what will happen, the tool's name, or the number of the model's step. */
  label: z.string(),
  startedAt: timeSchema,
  endedAt: timeSchema.optional(),
  durationMs: millisecondsSchema.optional(),
  state: z.enum(['running', 'completed', 'failed', ...questionStateSchema.options]),
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  /** As in the question, or as executed. */
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  error: z.string().optional(),
  answer: answerSchema.optional(),
  /** Present when the gate decided, and no person was asked. */
  automatic: z.object({ approved: z.boolean(), reason: z.string().optional() }).optional(),
  /** Present when the call was approved before its question was due: who did it, and when. @source ADR 0056.31 */
  approvedEarly: z.object({ by: personSchema, at: timeSchema }).optional(),
  /** Present when the outcome was unknown at first and became known later. */
  resolved: resolutionSchema.optional(),
  /** Tokens of a model step. */
  usage: z
    .object({
      inputTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      cachedInputTokens: z.number().optional(),
      cacheWriteTokens: z.number().optional(),
      reasoningTokens: z.number().optional(),
    })
    .optional(),
};

export const timelineSpanSchema = z.object(timelineSpanShape);

const timelineSummaryShape = {
  questions: z.int(),
  approved: z.int(),
  denied: z.int(),
  /** Expired, superseded or cancelled: nobody answered. */
  withdrawn: z.int(),
  /** Between question and answer. Absent when no question was answered. */
  medianWaitMs: millisecondsSchema.optional(),
  waitingMs: millisecondsSchema,
  modelMs: millisecondsSchema,
  toolMs: millisecondsSchema,
  /** Calls that were executed. */
  calls: z.int(),
  retries: z.int(),
  failures: z.int(),
};

export const timelineSummarySchema = z.object(timelineSummaryShape);

/** `GET /api/chat/{chatId}/timeline`. @source S11 */
export const timelineSchema = z.object({
  chatId: z.string(),
  status: chatStatusSchema,
  turns: z.array(timelineTurnSchema),
  spans: z.array(timelineSpanSchema),
  summary: timelineSummarySchema,
});

/** A chat's timeline. Times are ISO 8601 in UTC, durations milliseconds. @source S11 */
export type TimelineJson = Immutable<z.infer<typeof timelineSchema>>;

/** One span of a chat's timeline. */
export type TimelineSpanJson = WireObject<typeof timelineSpanShape>;

/** What began a turn. */
export type TimelineTurnJson = WireObject<typeof timelineTurnShape>;

/** The figures above the waterfall. Durations are milliseconds, each the sum of its spans unless said otherwise. */
export type TimelineSummaryJson = WireObject<typeof timelineSummaryShape>;
