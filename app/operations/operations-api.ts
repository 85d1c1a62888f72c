import { z } from 'zod';
import { loadPage } from '../_entries/entries-api.ts';

const runSchema = z.object({
  chatId: z.string(),
  runId: z.string(),
  state: z.enum(['abandoned', 'silent']),
  waitsForPlugin: z.string().optional(),
  since: z.string(),
  maySeeChat: z.boolean(),
});

const outcomeSchema = z.object({
  chatId: z.string(),
  toolCallId: z.string(),
  approvalId: z.string(),
  toolName: z.string(),
  title: z.string().optional(),
  since: z.string(),
  maySeeChat: z.boolean(),
  mayRecord: z.boolean(),
});

const pauseSchema = z.object({
  tool: z.string().optional(),
  reason: z.string(),
  by: z.object({ name: z.string() }),
  at: z.string(),
});

const operationsSchema = z.object({
  runs: z.array(runSchema),
  outcomes: z.array(outcomeSchema),
  chatsSearched: z.number(),
  pauses: z.array(pauseSchema),
});

/** What needs an operator. Times are ISO 8601. */
export type Operations = z.infer<typeof operationsSchema>;

/** Reads it; `undefined` when the server cannot be reached, or refuses. */
export function loadOperations(): Promise<Operations | undefined> {
  return loadPage('/api/operations', operationsSchema, undefined);
}
