import { z } from 'zod';
import { personSchema } from './person.ts';

/** Who may answer an open question, as far as this person may know. @source ADR 0049 */
export const eligibleSchema = z.object({
  /** At most 20 people. */
  eligible: z.array(personSchema).optional(),
  /** There may be more than these people. */
  othersEligible: z.literal(true).optional(),
});
