import { tool } from 'ai';
import { z } from 'zod';
import type { DemoDatabase } from '../_data/demo-database.ts';
import type { UserStatus } from '../_data/demo-users.ts';
import type { ToolDetails } from './details.ts';
import { counted } from './details.ts';
import { countUsers, describeUsers, userFilterShape, userStatusSchema, userTable } from './user-filter.ts';

const inputSchema = z.object({
  ...userFilterShape,
  status: userStatusSchema.describe('The new status of every matching user.'),
});

type Input = z.infer<typeof inputSchema>;
type Output = { readonly updated: number; readonly status: UserStatus };

/** `update_database`: sets the status of the matching users. Output: the number of changed rows. */
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

/** How `update_database` is presented. Setting a status twice has no further effect. */
export const updateDatabaseDetails = (database: DemoDatabase): ToolDetails<Input, Output> => ({
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
  preview({ query, status }) {
    const users = database.searchUsers({ query });
    return {
      summary: `${countUsers(users)} → ${status}`,
      parts: users.length === 0 ? [] : [userTable(users)],
    };
  },
});
