import { z } from 'zod';

const id = z.string().min(1).describe('Names the chat it is of; stable when the same item is sent again.');
const status = z.enum(['in_progress', 'completed', 'incomplete']);
const jsonText = z.string().describe('The arguments, as JSON.');

/** A source that a text names. The place is where the text ended when the source was named. */
export const urlCitationSchema = z.object({
  type: z.literal('url_citation'),
  start_index: z.int().nonnegative(),
  end_index: z.int().nonnegative(),
  title: z.string(),
  url: z.string(),
});

/** Text of a message. */
export const outputTextSchema = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(urlCitationSchema),
  logprobs: z.array(z.never()).describe('Always empty.'),
});

/** A refusal by the model. Its text is also the text before it: that it is one is known at its end only. */
export const refusalSchema = z.object({ type: z.literal('refusal'), refusal: z.string() });

/** The reasoning itself, if the model provides it. */
export const reasoningTextSchema = z.object({ type: z.literal('reasoning_text'), text: z.string() });

/** A summary of the reasoning. */
export const summaryTextSchema = z.object({ type: z.literal('summary_text'), text: z.string() });

/** Why a call failed, in words. */
const callErrorSchema = z.object({
  type: z.literal('mcp_tool_execution_error'),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
});

/** Why a search failed, in words. The API has no such field. @source C6 */
const searchErrorSchema = z.object({ message: z.string() }).optional().describe('Of a failed search.');

/** The result of a function, executed by the server or the client. */
export const functionOutputSchema = z.object({
  type: z.literal('function_call_output'),
  id,
  call_id: z.string().min(1),
  output: z.string(),
  status,
});

/** Output items by type: the one source of their types, documents and checks. @source C4, C7, C18 */
const itemSchemas = {
  message: z.object({
    type: z.literal('message'),
    id,
    role: z.literal('assistant'),
    status,
    content: z.array(z.discriminatedUnion('type', [outputTextSchema, refusalSchema])),
  }),
  reasoning: z.object({
    type: z.literal('reasoning'),
    id,
    status,
    summary: z.array(summaryTextSchema),
  }),
  mcp_call: z.object({
    type: z.literal('mcp_call'),
    id,
    server_label: z.string(),
    name: z.string(),
    arguments: jsonText,
    status: z.enum(['in_progress', 'completed', 'incomplete', 'calling', 'failed']),
    approval_request_id: z.string().nullable().describe('The request that was answered, for a gated call.'),
    output: z.string().nullable(),
    error: callErrorSchema.nullable(),
  }),
  mcp_approval_request: z.object({
    type: z.literal('mcp_approval_request'),
    id,
    server_label: z.string(),
    name: z.string(),
    arguments: jsonText,
  }),
  mcp_list_tools: z.object({
    type: z.literal('mcp_list_tools'),
    id,
    server_label: z.string(),
    tools: z.array(z.object({ name: z.string(), input_schema: z.unknown() })),
  }),
  file_search_call: z.object({
    type: z.literal('file_search_call'),
    id,
    status: z.enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed']),
    queries: z.array(z.string()),
    results: z
      .array(
        z.object({
          file_id: z.string(),
          filename: z.string(),
          score: z.number(),
          text: z.string(),
          attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
        }),
      )
      .nullable()
      .describe('Told when `include` names `file_search_call.results`.'),
    error: searchErrorSchema,
  }),
  web_search_call: z.object({
    type: z.literal('web_search_call'),
    id,
    status: z.enum(['in_progress', 'searching', 'completed', 'failed', 'incomplete']),
    action: z.object({
      type: z.literal('search'),
      query: z.string(),
      queries: z.array(z.string()),
      sources: z
        .array(z.object({ type: z.literal('url'), url: z.string() }))
        .optional()
        .describe('Told when `include` names `web_search_call.action.sources`.'),
    }),
    error: searchErrorSchema,
  }),
  function_call: z.object({
    type: z.literal('function_call'),
    id,
    call_id: z.string().min(1),
    name: z.string(),
    arguments: jsonText,
    status,
  }),
  function_call_output: functionOutputSchema,
};

/** Any output item. */
export const itemSchema = z.discriminatedUnion('type', [
  itemSchemas.message,
  itemSchemas.reasoning,
  itemSchemas.mcp_call,
  itemSchemas.mcp_approval_request,
  itemSchemas.mcp_list_tools,
  itemSchemas.file_search_call,
  itemSchemas.web_search_call,
  itemSchemas.function_call,
  itemSchemas.function_call_output,
]);

/** @see itemSchema */
export type Item = z.infer<typeof itemSchema>;

/** An item of one type. */
export type ItemOf<Type extends Item['type']> = Extract<Item, { type: Type }>;
