import { z } from 'zod';

const name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/, 'A name has letters, digits, `_` and `-` only.');
const jsonObject = z.record(z.string(), z.unknown());

/** A function that the client executes. @source C15 */
export const functionToolSchema = z.object({
  type: z.literal('function'),
  name,
  description: z.string().nullish(),
  parameters: jsonObject.nullable().describe('JSON Schema of the arguments. `null`: an object of any kind.'),
  strict: z.boolean().nullable(),
});

/** Which tools the model may call, or must: the forms that are honoured. @source C15 */
export const toolChoiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), name: z.string() }),
  z.object({ type: z.literal('mcp'), server_label: z.string(), name: z.string().nullish() }),
  z.object({ type: z.enum(['file_search', 'web_search_preview']) }),
  z.object({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: z.array(jsonObject),
  }),
]);

/** The form of the model's text. @source C15 */
export const textFormatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name,
    schema: jsonObject,
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
]);
