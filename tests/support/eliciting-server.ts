import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createMCPClient, ElicitationRequestSchema, type MCPClientConfig } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { ToolSet } from 'ai';
import { elicitations } from 'countersign';
import { onTestFinished } from 'vitest';
import { reserveServer } from './eliciting/reserve-server.ts';

async function connected(transport: MCPClientConfig['transport']): Promise<ToolSet> {
  const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
  onTestFinished(() => client.close());
  const asks = elicitations();
  client.onElicitationRequest(ElicitationRequestSchema, asks.handler);
  return asks.tools(await client.tools()) as ToolSet;
}

/** The tools of the server behind Streamable HTTP on a loopback port, until the end of the test. */
export async function elicitingOverHttp() {
  const { server, answers } = reserveServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await server.connect(transport);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(async () => {
    await transport.close();
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { answers, tools: await connected({ type: 'http', url: `http://127.0.0.1:${address.port}/mcp` }) };
}

/** The same over one stream for all calls, as over standard input and output. */
export async function elicitingOverOneStream() {
  const { server, answers } = reserveServer();
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  return { answers, tools: await connected(clientSide) };
}

/** The tools of the server in a process of its own, over its standard input and output. */
export async function elicitingOverStdio() {
  const server = join(import.meta.dirname, 'eliciting/stdio-server.ts');
  return { tools: await connected(new StdioMCPTransport({ command: process.execPath, args: [server] })) };
}
