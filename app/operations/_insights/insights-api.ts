import { headers } from 'next/headers';
import { z } from 'zod';
import { countersign } from '../../_server/countersign.ts';

const countsSchema = z.object({
  settled: z.number(),
  approved: z.number(),
  quick: z.number(),
  edited: z.number(),
  denied: z.number(),
  expired: z.number(),
  withdrawn: z.number(),
  waitMs: z.object({ median: z.number(), p95: z.number() }).optional(),
});

const insightsSchema = z.object({
  since: z.string(),
  until: z.string(),
  timeZone: z.string(),
  all: countsSchema,
  tools: z.array(countsSchema.extend({ toolName: z.string().optional(), title: z.string().optional() })),
  risks: z.array(countsSchema.extend({ risk: z.enum(['low', 'medium', 'high']).optional() })),
  approvers: z.array(countsSchema.extend({ approver: z.object({ name: z.string() }).optional() })),
  hours: z.array(countsSchema.extend({ hour: z.number() })),
});

/** How people answer. Times are ISO 8601. */
export type Insights = z.infer<typeof insightsSchema>;

/** Counts of requests that are no longer open. */
export type Counts = z.infer<typeof countsSchema>;

/** What the person has chosen, as the address of the page contains it. */
export type InsightsQuery = { readonly since: string; readonly timeZone: string };

/** Reads it with the rights of the person who opens the page; `undefined` if the server refuses the query. */
export async function readInsights(query: InsightsQuery): Promise<Insights | undefined> {
  const url = `http://localhost/api/operations/insights?${new URLSearchParams(query)}`;
  const request = new Request(url, { headers: await headers() });
  const response = await (await countersign()).api(request);
  return response.ok ? insightsSchema.parse(await response.json()) : undefined;
}
