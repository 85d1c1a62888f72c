import type { FlexibleSchema, Tool, ToolExecutionOptions } from 'ai';
import { tool } from 'ai';
import { z } from 'zod';

const callResult = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
});

/** What is needed of a tool of an MCP client. `metadata` says which server it came from. */
export type McpTool<INPUT> = Pick<Tool, 'title' | 'metadata'> & {
  readonly description?: Tool['description'];
  readonly inputSchema: FlexibleSchema<INPUT>;
  execute(input: INPUT, options: ToolExecutionOptions<Record<string, unknown>>): unknown;
};

/**
 * An MCP tool whose output is its text alone, as people and models read it. A result that the server marks
 * as an error is thrown, so that it is recorded as a failure and not as an output that speaks of one.
 */
export function textTool<INPUT>({ title, description, metadata, inputSchema, execute }: McpTool<INPUT>) {
  return tool<INPUT, string, Record<string, unknown>>({
    title,
    description,
    metadata,
    inputSchema,
    execute: async (input, options) => {
      const { isError, content } = callResult.parse(await execute(input, options));
      const text = content.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n');
      if (isError) throw new Error(text || 'The MCP server reported an error without a message.');
      return text;
    },
  });
}
