import { randomBytes } from 'node:crypto';
import { tool } from 'ai';
import { notTheAsker } from 'countersign';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';

const inputSchema = z.object({});

type Output = { readonly fingerprint: string };

/**
 * `rotate_key`: creates a new key for the demo's imaginary service. Output: the first characters of its fingerprint.
 */
export function rotateKeyTool() {
  return tool({
    title: 'Rotate key',
    description: 'Replace the API key of the demo service with a new one.',
    inputSchema,
    execute: async (): Promise<Output> => ({ fingerprint: randomBytes(4).toString('hex') }),
  });
}

/**
 * How `rotate_key` is presented. The person who answers must have signed in within the last five minutes. If nobody answers, it
 * is escalated to managers, and denied in the end. The times are short, to be seen in a demo.
 */
export const rotateKeyDetails: ToolDetails<z.infer<typeof inputSchema>, Output> = {
  title: 'Rotate key',
  risk: 'high',
  idempotent: false,
  retryable: false,
  remembered: false,
  reasonOnDeny: true,
  stepUp: { maxAgeMs: 5 * 60 * 1_000 },
  escalation: {
    steps: [
      {
        afterMs: 15_000,
        to: (principal, question) => principal.role === 'manager' && notTheAsker(principal, question),
        label: 'managers',
        remindEveryMs: 30_000,
      },
    ],
    end: { afterMs: 120_000, then: 'deny' },
  },
  describe: () => 'Replace the API key of the demo service with a new one.',
  summarize: ({ fingerprint }) => ({ summary: `New key ${fingerprint}`, resultCount: 1 }),
};
