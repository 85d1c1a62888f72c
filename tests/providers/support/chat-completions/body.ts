import { z } from 'zod';
import { openaiName } from '../openai-name.ts';

const id = z.string().min(1).max(40, 'string too long. Expected a string with maximum length 40');

const part = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image_url', 'file', 'input_audio']) }),
]);
const content = z.union([z.string(), z.array(part)]);
const call = z.looseObject({
  id,
  type: z.literal('function'),
  function: z.strictObject({ name: openaiName, arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: id, content }),
]);

/** A request of Chat Completions, as far as the service's rules read it. */
export const chatBody = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  messages: z.array(message).min(1),
  tools: z
    .array(z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: openaiName }) }))
    .optional(),
});

/** @see chatBody */
export type ChatBody = z.infer<typeof chatBody>;
