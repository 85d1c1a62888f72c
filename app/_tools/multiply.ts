import type { MultiplyInput } from '../_mcp/multiply-schema.ts';
import type { ToolDetails } from './details.ts';

/** How `multiply`, the tool of the MCP server, is presented. */
export const multiplyDetails: ToolDetails<MultiplyInput, string> = {
  title: 'Multiply',
  kind: 'mcp',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: ({ a, b }) => `Multiplying ${a} by ${b}`,
  summarize: (product) => ({ summary: `The product is ${product}`, resultCount: 1 }),
};
