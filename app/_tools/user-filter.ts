import { z } from 'zod';
import type { UserFilter } from '../_data/demo-database.ts';
import { userStatuses } from '../_data/demo-users.ts';
import { shown } from './details.ts';

/** The users that a database tool selects, in the model's arguments. */
export const userFilterShape = {
  query: z
    .string()
    .max(200)
    .optional()
    .describe('Text to search in name, email address and city. Omit it for all users.'),
};

/** The status of a user. */
export const userStatusSchema = z.enum(userStatuses);

/** Describes a filter: "every user", 'every trial user matching "Tokyo"'. */
export function describeUsers({ query, status }: UserFilter): string {
  const kind = status ? `every ${status} user` : 'every user';
  return query?.trim() ? `${kind} matching "${shown(query)}"` : kind;
}
