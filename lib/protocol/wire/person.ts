import { z } from 'zod';
import type { WireObject } from './wire-object.ts';

const personShape = { id: z.string(), name: z.string() };

export const personSchema = z.object(personShape);

/** The public part of a principal. */
export type PersonJson = WireObject<typeof personShape>;
