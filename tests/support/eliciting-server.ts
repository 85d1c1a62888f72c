import { once } from 'node:events';
import { createServer } from 'node:http';
import { createMCPClient, ElicitationRequestSchema, type MCPClientConfig } from '@ai-sdk/mcp';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { ToolSet } from 'ai';
import { elicitations } from 'countersign';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** An MCP server whose tool `reserve` asks for the number of nights while it runs. `answers`: what it was answered. */
function elicitingServer() {
  const answers: unknown[] = [];
  const server = new McpServer({ name: 'hotels', version: '1.0.0' });
  server.registerTool('reserve', { inputSchema: { hotel: z.string() } }, async ({ hotel }, { requestId }) => {
    const answer = await server.server.elicitInput(
      {
        message: `How many nights at ${hotel}?`,
        requestedSchema: {
          type: 'object',
          properties: { nights: { type: 'integer', minimum: 1 } },
          required: ['nights'],
        },
      },
      { relatedRequestId: requestId },
    );
    answers.push(answer);
    const { action, content } = answer;
    const text =
      action === 'accept' ? `Reserved ${content?.nights} nights at ${hotel}.` : `Not reserved: ${action}.`;
    return { content: [{ type: 'text', text }] };
  });
  return { server, answers };
}

async function connected(transport: MCPClientConfig['transport']): Promise<ToolSet> {
  const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
  onTestFinished(() => client.close());
  const asks = elicitations();
  client.onElicitationRequest(ElicitationRequestSchema, asks.handler);
  return asks.tools(await client.tools()) as ToolSet;
}

/** The tools of the server behind Streamable HTTP on a loopback port, until the end of the test. */
export async function elicitingOverHttp() {
  const { server, answers } = elicitingServer();
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
  const { server, answers } = elicitingServer();
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  return { answers, tools: await connected(clientSide) };
}
