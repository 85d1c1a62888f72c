import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { multiplyInputSchema } from './multiply-schema.ts';

/**
 * The demo's MCP server, not yet connected. Its one tool, `multiply`, returns the product as text ("20" for 5 and 4),
 * rounded to the 15 digits that a double can represent.
 */
export function createMultiplyServer(): McpServer {
  const server = new McpServer({ name: 'countersign-demo', version: '1.0.0' });
  server.registerTool(
    'multiply',
    {
      title: 'Multiply',
      description: 'Multiply two numbers.',
      inputSchema: multiplyInputSchema.shape,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(Number((a * b).toPrecision(15))) }] }),
  );
  return server;
}
