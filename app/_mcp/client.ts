import type { MCPClientConfig } from '@ai-sdk/mcp';
import { createMCPClient } from '@ai-sdk/mcp';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { multiplyInputSchema } from './multiply-schema.ts';
import { createMultiplyServer } from './multiply-server.ts';
import { textTool } from './text-tool.ts';

/** The tools of a connected MCP server for the engine, and a function to disconnect. */
export type DemoMcp = Awaited<ReturnType<typeof connectDemoMcp>>;

/** The MCP tools that the reference app uses. */
export type DemoMcpTools = DemoMcp['tools'];

/**
 * Connects to a server that has `multiply`, over any MCP transport (HTTP, stdio, in memory).
 *
 * @throws if the server cannot be reached or does not offer `multiply`; the connection is then closed
 */
export async function connectDemoMcp(transport: MCPClientConfig['transport']) {
  const client = await createMCPClient({ transport, clientName: 'countersign' });
  try {
    const { multiply } = await client.tools({ schemas: { multiply: { inputSchema: multiplyInputSchema } } });
    if (!multiply) throw new Error('The MCP server offers no tool "multiply". Connect to the demo server.');
    return { tools: { multiply: textTool(multiply) }, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Starts the demo's MCP server in this process and connects to it, over a linked pair of in-memory transports. So
 * there is no port that another program could use, no child process that could outlive the server, and no file path
 * that a bundler would have to preserve.
 */
export async function openDemoMcp(): Promise<DemoMcp> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = createMultiplyServer();
  await server.connect(serverSide);
  try {
    const { tools, close } = await connectDemoMcp(clientSide);
    return {
      tools,
      close: async () => {
        await close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
