import { z } from 'zod';
import type { Person } from '../../protocol/index.ts';
import { personSchema } from '../../protocol/wire/person.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../../server/errors.ts';

/**
 * One person lets another answer for them, until a time. Times are epoch milliseconds.
 *
 * @source ADR 0049
 */
export type Delegation = {
  readonly id: string;
  /** Whose right it is. */
  readonly from: Person;
  /** Who may use it. */
  readonly to: Person;
  readonly createdAt: number;
  readonly until: number;
  /** The tools whose questions it covers. Default: all. */
  readonly toolNames?: readonly string[] | undefined;
  /** Why, in the words of the person who delegates. */
  readonly note?: string | undefined;
};

const shape = {
  id: z.string(),
  from: personSchema.describe('Whose right it is.'),
  to: personSchema.describe('Who may use it.'),
  toolNames: z.array(z.string()).optional().describe('The tools whose questions it covers. Absent: all.'),
  note: z.string().optional(),
};

/** A delegation as the log has it. */
export const loggedSchema = z.object({
  ...shape,
  createdAt: z.number(),
  until: z.number(),
}) satisfies z.ZodType<Delegation>;

/** A delegation as JSON. */
export const delegationSchema = z.object({ ...shape, createdAt: timeSchema, until: timeSchema });

/** @see delegationSchema */
export function delegationJson(delegation: Delegation): Immutable<z.infer<typeof delegationSchema>> {
  const { createdAt, until } = delegation;
  return { ...delegation, createdAt: isoTime(createdAt), until: isoTime(until) };
}
