import { tool } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { z } from 'zod';

/** The example of the response timing rules: two gated tools, the second requested after the first one's result. */
export const workedExample: readonly ScriptedStep[] = [
  [{ text: ['Let me ', 'look.'] }, { call: 'search_database', id: 'search', input: { query: 'users' } }],
  [{ text: 'Found 10 users.' }, { call: 'update_database', id: 'update', input: { set: 'active' } }],
  [{ text: ['Database ', 'updated.'] }],
];

/** The tools of the {@link workedExample}, and their effects. */
export function databaseTools() {
  const effects: string[] = [];
  const tools = {
    search_database: tool({
      inputSchema: z.object({ query: z.string() }),
      needsApproval: true,
      execute: async ({ query }) => {
        effects.push(`searched ${query}`);
        return { rows: 10 };
      },
    }),
    update_database: tool({
      inputSchema: z.object({ set: z.string() }),
      needsApproval: true,
      execute: async ({ set }) => {
        effects.push(`set ${set}`);
        return { updated: 10 };
      },
    }),
  };
  return { tools, effects };
}
