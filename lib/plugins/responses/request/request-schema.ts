import { z } from 'zod';
import { functionToolSchema, textFormatSchema, toolChoiceSchema } from '../client/schema/request-fields.ts';

const text = z.looseObject({ type: z.enum(['input_text', 'text', 'output_text']), text: z.string() });
const image = z.looseObject({ type: z.literal('input_image'), image_url: z.string().nullish() });
const file = z.looseObject({
  type: z.literal('input_file'),
  file_url: z.string().nullish(),
  file_data: z.string().nullish(),
  filename: z.string().nullish(),
});
const content = z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, file]))]);
const id = z.string().min(1).max(512);

/** Input items that say something new. @source C15, C18 */
export const newItemSchemas = {
  message: z.looseObject({
    type: z.literal('message').optional().describe('May be left out: a role says as much.'),
    role: z.enum(['user', 'system', 'developer']),
    content,
  }),
  mcp_approval_response: z.looseObject({
    type: z.literal('mcp_approval_response'),
    approval_request_id: id,
    approve: z.boolean(),
    reason: z.string().nullish(),
  }),
  function_call_output: z.looseObject({
    type: z.literal('function_call_output'),
    call_id: id,
    output: z.union([z.string(), z.array(text)]),
  }),
};

/** What was said before. Its ids are read, and what people and the assistant said in it. @source C15 */
const pastItemSchema = z.union([
  z.looseObject({ role: z.literal('assistant') }),
  z.looseObject({ type: z.literal('item_reference').nullish(), id }),
  z.looseObject({
    type: z
      .string()
      .refine((type) => !Object.hasOwn(newItemSchemas, type), 'An item of this type must fit its own schema.')
      .describe('`function_call`, `mcp_call`, `reasoning` and all others.'),
  }),
]);

/** One input item. */
const inputItemSchema = z.union([
  newItemSchemas.message,
  newItemSchemas.mcp_approval_response,
  newItemSchemas.function_call_output,
  pastItemSchema,
]);

/**
 * A tool of a request: a function of the client, or the announcement that the client can read the items of a tool of the
 * server.
 */
const toolSchema = z.union([
  functionToolSchema.partial({ parameters: true, strict: true }),
  z.looseObject({
    type: z.string().refine((type) => type !== 'function', 'A function must fit its own schema.'),
    server_label: z.string().nullish(),
  }),
]);

/** `POST /v1/responses`. Unknown fields are ignored. @source C15 */
export const responsesRequestSchema = z.object({
  input: z.union([z.string(), z.array(inputItemSchema).max(10_000)]),
  model: z.string().min(1).max(256).nullish().describe("Told back; the server's model is its own."),
  stream: z.boolean().nullish(),
  previous_response_id: z
    .string()
    .min(1)
    .max(512)
    .nullish()
    .describe('Goes on with its chat; before the last turn, in a new chat.'),
  conversation: z
    .union([z.string(), z.looseObject({ id: z.string() })])
    .nullish()
    .describe("A chat's id: goes on with it, without any other id."),
  instructions: z.string().max(100_000).nullish().describe("Added to the server's own, for this turn."),
  parallel_tool_calls: z.boolean().nullish().describe('`false`: strictly one after the other.'),
  metadata: z.record(z.string(), z.string()).nullish().describe('`server_tools`: see ADR 0014.'),
  include: z.array(z.string()).nullish(),
  store: z.boolean().nullish().describe('`false`: the response cannot be read back by its id.'),
  tools: z.array(toolSchema).max(128).nullish().describe('Functions of the client, for this turn.'),
  tool_choice: z
    .union([toolChoiceSchema, z.looseObject({ type: z.string() })])
    .nullish()
    .describe('For this turn. A call that is required is required once.'),
  max_tool_calls: z.int().min(1).nullish().describe('Calls of the turn that the server executes.'),
  max_output_tokens: z.int().min(1).nullish().describe('Tokens of the turn, over all its model calls.'),
  text: z
    .looseObject({ format: textFormatSchema.nullish(), verbosity: z.string().nullish() })
    .nullish()
    .describe('The form of the text.'),
  truncation: z.string().nullish().describe('Only `disabled`: see the table of refused values.'),
  background: z.boolean().nullish().describe('Only `false`: see the table of refused values.'),
  prompt_cache_key: z
    .string()
    .nullish()
    .describe('With the first words, names a conversation of a client that holds its history.'),
  safety_identifier: z
    .string()
    .nullish()
    .describe('With a key that serves many people: the person whose chats these are.'),
  user: z.string().nullish().describe('As `safety_identifier`, from older clients.'),
});

/** @see responsesRequestSchema */
export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;
