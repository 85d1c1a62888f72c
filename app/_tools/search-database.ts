import { tool } from 'ai';
import { z } from 'zod';
import type { DemoDatabase } from '../_data/demo-database.ts';
import type { DemoUser } from '../_data/demo-users.ts';
import type { ToolDetails } from './details.ts';
import { counted } from './details.ts';
import { countUsers, describeUsers, userFilterShape, userStatusSchema } from './user-filter.ts';

const inputSchema = z.object({
  ...userFilterShape,
  status: userStatusSchema.optional().describe('Only users with this status.'),
});

type Input = z.infer<typeof inputSchema>;

/** `search_database`: reads users from the demo table. Output: the rows, by id. */
export function searchDatabaseTool(database: DemoDatabase) {
  return tool({
    title: 'Search database',
    description: 'Search the users in the demo database by text and status.',
    inputSchema,
    execute: async (input: Input) => database.searchUsers(input),
  });
}

/** How `search_database` is presented. */
export const searchDatabaseDetails = (database: DemoDatabase): ToolDetails<Input, readonly DemoUser[]> => ({
  title: 'Search database',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: (input) => `Read ${describeUsers(input)} from the demo database.`,
  summarize: (users) =>
    users.length === 0
      ? { summary: 'No users found', resultCount: 0 }
      : { summary: `Found ${counted(users.length, 'user')}`, resultCount: users.length },
  preview: (input) => ({ summary: `Reads ${countUsers(database.searchUsers(input))}` }),
});
