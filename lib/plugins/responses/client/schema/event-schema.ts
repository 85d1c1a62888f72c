import { z } from 'zod';
import {
  itemSchema,
  outputTextSchema,
  reasoningTextSchema,
  refusalSchema,
  summaryTextSchema,
  urlCitationSchema,
} from './item-schema.ts';
import { responseSchema } from './response-schema.ts';

const numbered = {
  sequence_number: z.int().nonnegative().describe('From 0, by 1, over all events of the stream.'),
};
const atIndex = { ...numbered, output_index: z.int().nonnegative() };
const inItem = { ...atIndex, item_id: z.string().min(1) };
const inContent = { ...inItem, content_index: z.int().nonnegative() };
const inSummary = { ...inItem, summary_index: z.int().nonnegative() };
const delta = z.string();
const contentPart = z.discriminatedUnion('type', [outputTextSchema, refusalSchema, reasoningTextSchema]);
const noLogprobs = z.array(z.never());
const toolName = z.string().describe("The tool's name; additive.");

function lifecycle<const Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), ...numbered, response: responseSchema });
}

function itemEvent<const Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), ...atIndex, item: itemSchema });
}

function toolEvent<const Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), ...inItem, name: toolName });
}

function contentEvent<const Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), ...inContent, part: contentPart });
}

function argumentsDelta<const Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), ...inItem, delta });
}

function argumentsDone<const Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), ...inItem, arguments: z.string() });
}

function listTools<const Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), ...inItem });
}

/** The 38 events of a response's stream: the one source of their types, documents and checks. @source C13 */
export const responseEventSchemas = [
  lifecycle('response.created'),
  lifecycle('response.queued'),
  lifecycle('response.in_progress'),
  lifecycle('response.completed'),
  lifecycle('response.incomplete'),
  lifecycle('response.failed'),
  z.object({
    type: z.literal('error'),
    ...numbered,
    code: z.string().nullable(),
    message: z.string(),
    param: z.string().nullable(),
    error: z
      .object({
        type: z.string(),
        code: z.string().nullable(),
        message: z.string(),
        param: z.string().nullable(),
      })
      .describe('The same once more, nested: clients differ in where they look.'),
  }),
  itemEvent('response.output_item.added'),
  itemEvent('response.output_item.done'),
  contentEvent('response.content_part.added'),
  contentEvent('response.content_part.done'),
  z.object({
    type: z.literal('response.output_text.delta'),
    ...inContent,
    delta,
    logprobs: noLogprobs,
  }),
  z.object({
    type: z.literal('response.output_text.done'),
    ...inContent,
    text: z.string(),
    logprobs: noLogprobs,
  }),
  z.object({
    type: z.literal('response.output_text.annotation.added'),
    ...inContent,
    annotation_index: z.int().nonnegative(),
    annotation: urlCitationSchema,
  }),
  z.object({ type: z.literal('response.refusal.delta'), ...inContent, delta }),
  z.object({ type: z.literal('response.refusal.done'), ...inContent, refusal: z.string() }),
  argumentsDelta('response.function_call_arguments.delta'),
  argumentsDone('response.function_call_arguments.done'),
  z.object({
    type: z.literal('response.reasoning_summary_part.added'),
    ...inSummary,
    part: summaryTextSchema,
  }),
  z.object({
    type: z.literal('response.reasoning_summary_part.done'),
    ...inSummary,
    part: summaryTextSchema,
  }),
  z.object({ type: z.literal('response.reasoning_summary_text.delta'), ...inSummary, delta }),
  z.object({ type: z.literal('response.reasoning_summary_text.done'), ...inSummary, text: z.string() }),
  z.object({ type: z.literal('response.reasoning_text.delta'), ...inContent, delta }),
  z.object({ type: z.literal('response.reasoning_text.done'), ...inContent, text: z.string() }),
  toolEvent('response.mcp_call.in_progress'),
  toolEvent('response.mcp_call.completed'),
  toolEvent('response.mcp_call.failed'),
  argumentsDelta('response.mcp_call_arguments.delta'),
  argumentsDone('response.mcp_call_arguments.done'),
  listTools('response.mcp_list_tools.in_progress'),
  listTools('response.mcp_list_tools.completed'),
  listTools('response.mcp_list_tools.failed'),
  toolEvent('response.file_search_call.in_progress'),
  toolEvent('response.file_search_call.searching'),
  toolEvent('response.file_search_call.completed'),
  toolEvent('response.web_search_call.in_progress'),
  toolEvent('response.web_search_call.searching'),
  toolEvent('response.web_search_call.completed'),
] as const;

/** Any event of a response's stream. */
export const responseEventSchema = z.discriminatedUnion('type', responseEventSchemas);

/** @see responseEventSchema */
export type ResponseEvent = z.infer<typeof responseEventSchema>;

/** An event of one type. */
export type ResponseEventOf<Type extends ResponseEvent['type']> = Extract<ResponseEvent, { type: Type }>;

/** An event before its place in the stream is known. */
export type UnnumberedEvent = {
  [Type in ResponseEvent['type']]: Omit<ResponseEventOf<Type>, 'sequence_number'>;
}[ResponseEvent['type']];
