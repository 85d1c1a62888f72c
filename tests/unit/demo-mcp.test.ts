import { fileURLToPath } from 'node:url';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { connectDemoMcp, openDemoMcp } from '../../app/_mcp/client.ts';
import { multiplyInputSchema } from '../../app/_mcp/multiply-schema.ts';

const options = { toolCallId: 'call-1', messages: [], context: {} };
const stdio = () =>
  new StdioTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('../../app/_mcp/server.ts', import.meta.url))],
  });

describe.each([
  ['in this process', openDemoMcp],
  ['over standard input and output', () => connectDemoMcp(stdio())],
])('the MCP server %s', (_name, open) => {
  it('multiplies, gives text, and closes', async () => {
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

  it('fails when the server has no multiply', async () => {
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
