import { z } from 'zod';
import { personSchema } from './person.ts';
import { timeSchema } from './time.ts';
import type { Immutable } from './wire-object.ts';

/** A delegation of the right to answer. @source ADR 0049 */
export const delegationSchema = z.object({
  id: z.string(),
  /** Whose right it is. */
  from: personSchema,
  /** Who may use it. */
  to: personSchema,
  createdAt: timeSchema,
  until: timeSchema,
  /** The tools whose questions it covers. Absent: all. */
  toolNames: z.array(z.string()).optional(),
  note: z.string().optional(),
});

/** @see delegationSchema */
export type DelegationJson = Immutable<z.infer<typeof delegationSchema>>;
