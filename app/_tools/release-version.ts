import { tool } from 'ai';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';

const inputSchema = z.object({
  version: z
    .string()
    .regex(/^\d{1,4}(?:\.\d{1,4}){0,2}$/)
    .describe('Such as 2.1.'),
});

type Input = z.infer<typeof inputSchema>;
/** `times`: how often this process has released the version. */
type Output = { readonly version: string; readonly times: number };

/** `release_version`: counts the releases of each version, so a double execution cannot go unnoticed. */
export function releaseVersionTool() {
  const released = new Map<string, number>();
  return tool({
    title: 'Release version',
    description: 'Release a version of the demo service to production.',
    inputSchema,
    execute: async ({ version }: Input): Promise<Output> => {
      const times = (released.get(version) ?? 0) + 1;
      released.set(version, times);
      return { version, times };
    },
  });
}

/**
 * How `release_version` is presented. Two people must approve: the one who asked counts, and so do managers and the user of this
 * machine. So the asker and one other identity of the demo are enough. After a time that is short enough to be seen, directors may
 * approve as well.
 */
export const releaseVersionDetails: ToolDetails<Input, Output> = {
  title: 'Release version',
  risk: 'high',
  idempotent: false,
  retryable: false,
  votes: { count: 2 },
  approvers: ({ id, role }, { askedBy }) => role === 'manager' || id === 'local' || id === askedBy.id,
  escalation: {
    steps: [{ afterMs: 15_000, to: ({ role }) => role === 'director', label: 'directors' }],
  },
  whoMayAnswer: (_principal, { askedBy }) =>
    `Waiting for two approvals by ${askedBy.name}, managers or the local user, and after the escalation also by directors.`,
  describe: ({ version }) => `Release version ${version} to production.`,
  summarize: ({ version }) => ({ summary: `Released ${version}`, resultCount: 1 }),
};
