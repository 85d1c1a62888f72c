import type { FlexibleSchema, Tool, ToolExecutionOptions } from 'ai';
import { tool } from 'ai';
import { z } from 'zod';

const callResult = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
});

/** The part of an MCP client's tool that is used here. `metadata` names its server. */
export type McpTool<INPUT> = Pick<Tool, 'title' | 'metadata'> & {
  readonly description?: Tool['description'];
  readonly inputSchema: FlexibleSchema<INPUT>;
  execute(input: INPUT, options: ToolExecutionOptions<Record<string, unknown>>): unknown;
};

/**
 * An MCP tool that returns only its text. If the server marks a result as an error, it is thrown, so that the call is
 * recorded as failed.
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
