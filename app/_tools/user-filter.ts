import { z } from 'zod';
import type { UserFilter } from '../_data/demo-database.ts';
import { userStatuses } from '../_data/demo-users.ts';
import { shown } from './details.ts';

/** Which users a database tool means, as the model says it. */
export const userFilterShape = {
  query: z
    .string()
    .max(200)
    .optional()
    .describe('Text to look for in name, email address and city. Leave it out for all users.'),
};

/** Where a user may stand. */
export const userStatusSchema = z.enum(userStatuses);

/** The users a filter means, in words: "every user", 'every trial user matching "Tokyo"'. */
export function describeUsers({ query, status }: UserFilter): string {
  const kind = status ? `every ${status} user` : 'every user';
  return query?.trim() ? `${kind} matching "${shown(query)}"` : kind;
}
