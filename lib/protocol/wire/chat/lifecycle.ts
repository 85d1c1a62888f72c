import { z } from 'zod';
import { questionStateSchema } from '../question.ts';
import { millisecondsSchema, timeSchema } from '../time.ts';
import type { Immutable } from '../wire-object.ts';

/** One change of a call: the data of a transient `data-tool-lifecycle` part. @source S2, T6 */
export const lifecycleSchema = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  kind: z.enum(['function', 'mcp', 'file_search', 'web_search']),
  phase: z.enum([
    'requested',
    'started',
    'searching',
    'progressed',
    'retrying',
    'completed',
    'failed',
    'denied',
    'cancelled',
  ]),
  at: timeSchema,
  durationMs: millisecondsSchema.optional(),
  summary: z.string().optional(),
  resultCount: z.int().nonnegative().optional(),
  /** The latest preliminary output of a generator tool, in a report of phase `progressed`. */
  output: z.unknown().optional(),
  error: z.string().optional(),
  /** Whether the call took effect is unknown. */
  outcome: z.literal('unknown').optional(),
  /** What is known about it, in a sentence. */
  problem: z.string().optional(),
  /** Its question was withdrawn, not denied. */
  withdrawn: questionStateSchema.exclude(['open', 'approved', 'denied']).optional(),
  /** Whether a person may retry. */
  retryable: z.boolean().optional(),
  /** An automatic retry also failed. */
  wasRetried: z.boolean().optional(),
  /** Its place in the order in which the turn produced everything, while its part is withheld. */
  position: z.number().optional(),
});

/** One change of a call. @source S2, T6 */
export type LifecycleJson = Immutable<z.infer<typeof lifecycleSchema>>;
