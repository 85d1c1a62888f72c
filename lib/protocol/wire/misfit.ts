import { z } from 'zod';

/** A part of edited arguments that does not fit the tool's schema. @source H10 */
export const misfitSchema = z.object({
  path: z.string().describe('Where, as a JSON Pointer: `""` is the whole, `/items/0/sku` a field.'),
  message: z
    .string()
    .optional()
    .describe("The schema's message. Absent where it could quote a hidden value."),
});
