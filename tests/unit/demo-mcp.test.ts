import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { connectDemoMcp, openDemoMcp } from '../../app/_mcp/client.ts';
import { multiplyInputSchema } from '../../app/_mcp/multiply-schema.ts';
import { createMultiplyServer } from '../../app/_mcp/multiply-server.ts';

const options = { toolCallId: 'call-1', messages: [], context: {} };
const stdio = () =>
  new StdioTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('../../app/_mcp/server.ts', import.meta.url))],
  });

/** The same server behind Streamable HTTP on a loopback port, as a remote one would be. */
async function overHttp() {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await createMultiplyServer().connect(transport);
  const server = createServer((request, response) => void transport.handleRequest(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const mcp = await connectDemoMcp({ type: 'http', url: `http://127.0.0.1:${address.port}/mcp` });
  return {
    tools: mcp.tools,
    async close() {
      await mcp.close();
      await transport.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.each([
  ['over HTTP', overHttp],
  ['in this process', openDemoMcp],
  ['over standard input and output', () => connectDemoMcp(stdio())],
])('the MCP server %s', (_name, open) => {
  it('multiplies, returns text, and closes', async () => {
    const { tools, close } = await open();
    try {
      expect(await tools.multiply.execute({ a: 5, b: 4 }, options)).toBe('20');
      expect(await tools.multiply.execute({ a: 0.1, b: 0.2 }, options)).toBe('0.02');
      expect(await tools.multiply.execute({ a: -3, b: 1.5 }, options)).toBe('-4.5');
      expect(tools.multiply).toMatchObject({ title: 'Multiply', description: 'Multiply two numbers.' });
    } finally {
      await close();
    }
    await expect(tools.multiply.execute({ a: 5, b: 4 }, options)).rejects.toThrow();
  });
});

describe('connecting to an MCP server', () => {
  const linked = async (server: McpServer) => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await server.connect(serverSide);
    return clientSide;
  };

  it('fails if the server has no multiply tool', async () => {
    const server = new McpServer({ name: 'other', version: '1.0.0' });
    server.registerTool('divide', {}, () => ({ content: [] }));
    await expect(connectDemoMcp(await linked(server))).rejects.toThrow(/no tool "multiply"/);
  });

  it('throws what the server marks as an error', async () => {
    const server = new McpServer({ name: 'other', version: '1.0.0' });
    server.registerTool('multiply', { inputSchema: multiplyInputSchema.shape }, () => ({
      isError: true,
      content: [{ type: 'text', text: 'Out of ink.' }],
    }));
    const { tools, close } = await connectDemoMcp(await linked(server));
    await expect(tools.multiply.execute({ a: 1, b: 2 }, options)).rejects.toThrow('Out of ink.');
    await close();
  });
});
