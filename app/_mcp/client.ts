import type { MCPClientConfig } from '@ai-sdk/mcp';
import { createMCPClient } from '@ai-sdk/mcp';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { multiplyInputSchema } from './multiply-schema.ts';
import { createMultiplyServer } from './multiply-server.ts';
import { textTool } from './text-tool.ts';

/** The tools of a connected MCP server, ready for the engine, and the way to disconnect. */
export type DemoMcp = Awaited<ReturnType<typeof connectDemoMcp>>;

/** The MCP tools that the reference app uses. */
export type DemoMcpTools = DemoMcp['tools'];

/**
 * Connects to a server that has `multiply`, over any MCP transport (HTTP, stdio, in memory).
 *
 * @throws when the server cannot be reached or does not offer `multiply`; nothing stays open then
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
 * Starts the demo's MCP server in this process and connects to it. The two sides speak the whole protocol
 * over a linked pair of transports: no port that another program could take or reach, no child that could
 * outlive the server, and no path that a bundler would have to keep.
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
