import { z } from 'zod';
import type { WireObject } from './wire-object.ts';

const personShape = { id: z.string(), name: z.string() };

/** @see PersonJson */
export const personSchema = z.object(personShape);

/** What others see of a person. */
export type PersonJson = WireObject<typeof personShape>;
