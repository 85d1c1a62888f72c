import { z } from 'zod';

const lifecycleSchema = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  kind: z.enum(['function', 'mcp', 'file_search', 'web_search']).catch('function'),
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
  at: z.string(),
  durationMs: z.number().optional(),
  summary: z.string().optional(),
  resultCount: z.number().optional(),
  error: z.string().optional(),
  retryable: z.boolean().optional(),
  wasRetried: z.boolean().optional(),
});

/** One change of a call, as the transient `data-tool-lifecycle` part reports it. @source contract S, T6 */
export type ToolLifecycle = z.infer<typeof lifecycleSchema>;

/** Newest report of each call, by tool call id. */
export type LifecycleByCall = ReadonlyMap<string, ToolLifecycle>;

/** Reads the data of a `data-tool-lifecycle` part; `undefined` when it is something else. */
export function parseToolLifecycle(data: unknown): ToolLifecycle | undefined {
  return lifecycleSchema.safeParse(data).data;
}

/**
 * Takes one report in. Later reports win, but keep the summary, count and duration that an earlier one gave
 * and they leave out.
 */
export function withReport(known: LifecycleByCall, report: ToolLifecycle): LifecycleByCall {
  const before = known.get(report.toolCallId);
  const given = Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined));
  return new Map(known).set(report.toolCallId, { ...before, ...report, ...given });
}
