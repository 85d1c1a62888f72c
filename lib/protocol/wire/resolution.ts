import { z } from 'zod';
import { personSchema } from './person.ts';
import { timeSchema } from './time.ts';
import type { WireObject } from './wire-object.ts';

const resolutionShape = {
  /** `late`: the process that ran the call. `lookup`: its tool. `person`: a person who may answer. */
  source: z.enum(['late', 'lookup', 'person']),
  /** `completed`: it took effect. `failed`: it was tried, without effect. `not-run`: it never ran. */
  outcome: z.enum(['completed', 'failed', 'not-run']),
  /** Present for the source `person`. */
  by: personSchema.optional(),
  note: z.string().optional(),
  at: timeSchema,
};

export const resolutionSchema = z.object(resolutionShape);

/** What became known of a call after its outcome was recorded as unknown. @source ADR 0018 */
export type ResolutionJson = WireObject<typeof resolutionShape>;
