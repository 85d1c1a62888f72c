import { z } from 'zod';
import type { WireObject } from '../../protocol/wire/wire-object.ts';

const longestDeadlineMs = 366 * 86_400_000;

const requestShape = {
  /** One sentence. */
  title: z
    .string({ error: 'A request needs a `title`.' })
    .trim()
    .min(1, { error: '`title` must not be empty.' })
    .max(200, { error: '`title` has at most 200 characters.' })
    .describe('What the agent wants to do, in one sentence.'),
  details: z.string().max(4_000).optional().describe('Why, and what will change. Plain text.'),
  /** People may edit them. */
  arguments: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .describe('The values that the agent will act with. A person may change them.'),
  risk: z.enum(['low', 'medium', 'high']).optional().describe('How much harm it could do.'),
};

/**
 * What an agent outside the flow asks: the arguments of the tool `request_approval`. All of it is the agent's own words.
 *
 * @source ADR 0044
 */
export const agentRequestSchema = z.object(requestShape);

/** @see agentRequestSchema */
export type AgentRequestJson = WireObject<typeof requestShape>;

/** The body of `POST /api/approvals`. @source H9, ADR 0044 */
export const approvalRequestSchema = agentRequestSchema.extend({
  deadlineMs: z
    .int()
    .min(1_000)
    .max(longestDeadlineMs)
    .optional()
    .describe('How long the question stays open, in milliseconds.'),
});
