import type { PreviewPart } from 'countersign';
import { z } from 'zod';
import type { UserFilter } from '../_data/demo-database.ts';
import { type DemoUser, userStatuses } from '../_data/demo-users.ts';
import { counted, shown } from './details.ts';

const mostShown = 100;

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

/** "3 users: 2 active, 1 trial". */
export function countUsers(users: readonly DemoUser[]): string {
  const counts = userStatuses.flatMap((status) => {
    const count = users.filter((user) => user.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return [counted(users.length, 'user'), ...(counts.length > 0 ? [counts.join(', ')] : [])].join(': ');
}

/** The first hundred users, for a preview. */
export function userTable(users: readonly DemoUser[]): PreviewPart {
  const rows = users.slice(0, mostShown).map(({ id, name, city, status }) => ({ id, name, city, status }));
  return { type: 'table', rows, rowCount: users.length };
}

/** Describes a filter: "every user", 'every trial user matching "Tokyo"'. */
export function describeUsers({ query, status }: UserFilter): string {
  const kind = status ? `every ${status} user` : 'every user';
  return query?.trim() ? `${kind} matching "${shown(query)}"` : kind;
}
