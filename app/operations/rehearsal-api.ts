import { z } from 'zod';
import { loadPage } from '../_entries/entries-api.ts';

const decisionSchema = z.enum(['asked', 'allowed', 'denied', 'failed']);
const countsSchema = z.record(decisionSchema, z.number());

const callSchema = z.object({
  chatId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  at: z.string(),
  askedBy: z.object({ name: z.string() }).optional(),
  answer: z.enum(['approved', 'edited', 'denied', 'remembered', 'none']).optional(),
});

const rehearsalSchema = z.object({
  chats: z.number(),
  calls: z.number(),
  recorded: countsSchema,
  rehearsed: countsSchema,
  changes: z.array(
    z.object({
      from: decisionSchema,
      to: decisionSchema,
      calls: z.number(),
      people: z.number(),
      answers: z.record(callSchema.shape.answer.unwrap(), z.number()).optional(),
      examples: z.array(callSchema),
    }),
  ),
  notRehearsed: z.record(z.string(), z.number()),
});

/** What a policy would have decided about past calls. */
export type Rehearsal = z.infer<typeof rehearsalSchema>;

/** What a policy decides about a call. */
export type Decision = z.infer<typeof decisionSchema>;

const dayMs = 86_400_000;

/** Rehearses a policy on the calls of the last days; `undefined` if the server cannot be reached or refuses. */
export function loadRehearsal(policy: string, days: number): Promise<Rehearsal | undefined> {
  const since = new Date(Date.now() - days * dayMs).toISOString();
  return loadPage(
    `/api/operations/rehearsal?${new URLSearchParams({ policy, since })}`,
    rehearsalSchema,
    undefined,
  );
}

/** The names of the policies that can be rehearsed; `undefined` if the server cannot be reached or refuses. */
export async function loadPolicies(): Promise<readonly string[] | undefined> {
  const schema = z.object({ policies: z.array(z.string()) });
  return (await loadPage('/api/operations/policies', schema, undefined))?.policies;
}
