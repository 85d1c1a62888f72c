import { z } from 'zod';

/** The arguments of `multiply`: two finite numbers. */
export const multiplyInputSchema = z.object({
  a: z.number().describe('The first factor.'),
  b: z.number().describe('The second factor.'),
});

/** The parsed arguments of `multiply`. */
export type MultiplyInput = z.infer<typeof multiplyInputSchema>;
