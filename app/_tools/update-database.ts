import { tool } from 'ai';
import { z } from 'zod';
import type { DemoDatabase } from '../_data/demo-database.ts';
import type { UserStatus } from '../_data/demo-users.ts';
import type { ToolDetails } from './details.ts';
import { counted } from './details.ts';
import { describeUsers, userFilterShape, userStatusSchema } from './user-filter.ts';

const inputSchema = z.object({
  ...userFilterShape,
  status: userStatusSchema.describe('The status that every matching user gets.'),
});

type Input = z.infer<typeof inputSchema>;
type Output = { readonly updated: number; readonly status: UserStatus };

/** `update_database`: sets the status of the matching users. Output: how many rows were written. */
export function updateDatabaseTool(database: DemoDatabase) {
  return tool({
    title: 'Update database',
    description: 'Set the status of all users in the demo database, or of those matching a text.',
    inputSchema,
    execute: async ({ query, status }: Input): Promise<Output> => ({
      updated: database.updateUsers({ query }, status),
      status,
    }),
  });
}

/** What people are told about `update_database`. Setting a status twice is setting it once. */
export const updateDatabaseDetails: ToolDetails<Input, Output> = {
  title: 'Update database',
  risk: 'medium',
  idempotent: true,
  retryable: true,
  describe: ({ query, status }) =>
    `Set the status of ${describeUsers({ query })} in the demo database to "${status}".`,
  summarize: ({ updated, status }) =>
    updated === 0
      ? { summary: 'No users updated', resultCount: 0 }
      : { summary: `Set ${counted(updated, 'user')} to "${status}"`, resultCount: updated },
};
