import { z } from 'zod';

/** A part of edited arguments that does not fit the tool's schema. @source H10 */
export const fieldErrorSchema = z.object({
  path: z
    .string()
    .describe('The path as a JSON Pointer: `""` for the whole value, `/items/0/sku` for a field.'),
  message: z.string().optional().describe("The schema's message. Absent if it could quote a hidden value."),
  pattern: z.string().optional().describe('The pattern that a text does not fit, as JSON Schema has it.'),
});
