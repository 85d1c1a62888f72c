import { z } from 'zod';

const id = z.string().regex(/^[a-zA-Z0-9_-]+$/, 'String should match pattern ^[a-zA-Z0-9_-]+$');
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/, 'String should match pattern ^[a-zA-Z0-9_-]{1,128}$');

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const media = z.looseObject({ type: z.enum(['image', 'document']), source: z.looseObject({}) });
const thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id,
  name,
  input: z.record(z.string(), z.unknown()),
});
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z.union([z.string(), z.array(z.union([text, media]))]).optional(),
  is_error: z.boolean().optional(),
});
const block = z.union([text, media, thinking, toolUse, toolResult]);

/** A request of Messages, as far as the service's rules read it. Unknown blocks, ids and names of other forms do not fit. */
export const anthropicBody = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  stream: z.literal(true),
  system: z.array(text).optional(),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(block) })).min(1),
  tools: z
    .array(z.looseObject({ name, input_schema: z.looseObject({ type: z.literal('object') }) }))
    .optional(),
});

/** @see anthropicBody */
export type AnthropicBody = z.infer<typeof anthropicBody>;
export type AnthropicMessage = AnthropicBody['messages'][number];
export type AnthropicBlock = AnthropicMessage['content'][number];
