import { z } from 'zod';

const name = z
  .string()
  .regex(
    /^[a-zA-Z0-9_-]{1,64}$/,
    'Function name must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.',
  );
const id = z.string().regex(/^[a-zA-Z0-9]{9}$/, 'Tool call id must be a-z, A-Z, 0-9, with a length of 9.');

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);
const call = z.looseObject({
  id,
  function: z.strictObject({ name, arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content }),
  z.strictObject({ role: z.literal('user'), content }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.optional(),
    prefix: z.boolean().optional(),
    tool_calls: z.array(call).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), name: name.optional(), tool_call_id: id, content }),
]);

/** A request of Mistral's chat completions, as far as the service's rules read it. Unknown fields do not fit. */
export const mistralBody = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  messages: z.array(message).min(1),
  tools: z
    .array(z.looseObject({ type: z.literal('function'), function: z.looseObject({ name }) }))
    .optional(),
});

/** @see mistralBody */
export type MistralBody = z.infer<typeof mistralBody>;
export type MistralMessage = MistralBody['messages'][number];
