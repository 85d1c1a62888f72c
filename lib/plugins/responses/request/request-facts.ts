import { z } from 'zod';
import type { JsonObject, RunOptions } from '../../../protocol/index.ts';
import { functionToolSchema, textFormatSchema, toolChoiceSchema } from '../client/schema/request-fields.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** The fields of a request that its responses repeat, or depend on. Absent: the request did not set them. */
const requestFactsSchema = z
  .object({
    model: z.string(),
    instructions: z.string(),
    metadata: z.record(z.string(), z.string()),
    previous_response_id: z.string(),
    include: z.array(z.string()),
    parallel_tool_calls: z.boolean(),
    tool_choice: toolChoiceSchema,
    tools: z.array(functionToolSchema),
    text: z.object({ format: textFormatSchema }),
    max_output_tokens: z.int(),
    max_tool_calls: z.int(),
    store: z.boolean(),
  })
  .partial();

/** @see requestFactsSchema */
export type RequestFacts = z.infer<typeof requestFactsSchema>;

/** The facts of a request, for its response and for the log. */
export function factsOf(body: ResponsesRequest): RequestFacts {
  const { text, tools, tool_choice: choice } = body;
  const functions = tools?.flatMap((tool) =>
    tool.type === 'function' ? [{ parameters: null, strict: null, ...tool }] : [],
  );
  const given = {
    ...body,
    text: text?.format ? { format: text.format } : undefined,
    tools: functions?.length ? functions : undefined,
    tool_choice: isWebSearch(choice) ? { type: 'web_search_preview' } : choice,
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return requestFactsSchema.parse(Object.fromEntries(set));
}

/** The API has several names for one kind of tool. */
function isWebSearch(choice: ResponsesRequest['tool_choice']): boolean {
  return typeof choice === 'object' && choice !== null && choice.type.startsWith('web_search');
}

/** The facts as they are recorded with the first run of a turn. */
export function recordedFacts(facts: RequestFacts): JsonObject {
  return facts as JsonObject;
}

/** The facts of the request that began a turn, from its record; none for a turn that another entry point began. */
export function factsOfTurn(options: RunOptions | undefined): RequestFacts {
  return requestFactsSchema.safeParse(options?.request).data ?? {};
}
