import { z } from 'zod';
import { failureCodes } from '../../../../protocol/failure-code.ts';
import { itemSchema } from './item-schema.ts';
import { functionToolSchema, textFormatSchema, toolChoiceSchema } from './request-fields.ts';

/** Tokens of one response, summed over its model calls. Details that no model reported are 0. @source C12 */
export const usageSchema = z.object({
  input_tokens: z.int().nonnegative(),
  input_tokens_details: z.object({
    cached_tokens: z.int().nonnegative(),
    cache_write_tokens: z.int().nonnegative(),
  }),
  output_tokens: z.int().nonnegative(),
  output_tokens_details: z.object({ reasoning_tokens: z.int().nonnegative() }),
  total_tokens: z.int().nonnegative(),
});

/** What went wrong with a response. `type` is what the AI SDK's client reads. */
const responseErrorSchema = z.object({
  type: z.enum(['server_error', 'rate_limit_error', 'invalid_request_error']),
  code: z
    .enum(['server_error', ...failureCodes])
    .describe('Of the model call’s own error, if the API documents it; otherwise `server_error`.'),
  message: z.string(),
  param: z.null(),
});

/** A response, as sent with its first and last events and with `stream: false`. @source C9, C12 */
export const responseSchema = z.object({
  id: z.string().describe('Names the chat and the run: the next request continues the chat with it.'),
  object: z.literal('response'),
  created_at: z.int().describe('Epoch seconds.'),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'queued', 'cancelled']),
  error: responseErrorSchema.nullable(),
  incomplete_details: z
    .object({
      reason: z
        .enum(['max_output_tokens', 'max_messages', 'content_filter', 'steered'])
        .describe('`max_messages`: the limit of turns. `steered`: stopped, or a new message came first.'),
    })
    .nullable(),
  model: z.string(),
  output: z.array(itemSchema),
  usage: usageSchema.nullable(),
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  store: z.boolean().describe('As in the request. With `false`, the response cannot be read back by its id.'),
  tool_choice: toolChoiceSchema,
  tools: z
    .array(functionToolSchema)
    .describe('The functions of the request. Tools of the server are not listed.'),
  max_output_tokens: z.int().optional().describe('As in the request. Absent without one.'),
  max_tool_calls: z.int().optional().describe('As in the request. Absent without one.'),
  text: z.object({ format: textFormatSchema }).optional().describe('As in the request. Absent without one.'),
  temperature: z.null(),
  top_p: z.null(),
  access_programs: z.null(),
});

/** @see responseSchema */
export type ResponseObject = z.infer<typeof responseSchema>;

/** @see usageSchema */
export type ResponseUsage = z.infer<typeof usageSchema>;

/** The form of every refusal before a stream. @source C16 */
export const errorBodySchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

/** @see errorBodySchema */
export type ErrorBody = z.infer<typeof errorBodySchema>;
