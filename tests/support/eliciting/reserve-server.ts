import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/**
 * An MCP server whose tool `reserve` asks for the number of nights while it runs. `answers`: what it was answered. With
 * `together`, that many calls wait for each other before they ask, and again before they end.
 */
export function reserveServer() {
  const answers: unknown[] = [];
  const server = new McpServer({ name: 'hotels', version: '1.0.0' });
  const [arrival, departure] = [meeting(), meeting()];
  const inputSchema = { hotel: z.string(), together: z.number().default(1) };
  server.registerTool('reserve', { inputSchema }, async ({ hotel, together }, { requestId }) => {
    const requestedSchema = {
      type: 'object' as const,
      properties: { nights: { type: 'integer' as const, minimum: 1 } },
      required: ['nights'],
    };
    await arrival(together);
    try {
      const message = `How many nights at ${hotel}?`;
      const answer = await server.server.elicitInput(
        { message, requestedSchema },
        { relatedRequestId: requestId },
      );
      answers.push(answer);
      const { action, content } = answer;
      const text =
        action === 'accept' ? `Reserved ${content?.nights} nights at ${hotel}.` : `Not reserved: ${action}.`;
      return { content: [{ type: 'text', text }] };
    } finally {
      await departure(together);
    }
  });
  return { server, answers };
}

/** Waits until so many have come. */
function meeting() {
  const all = Promise.withResolvers<void>();
  let present = 0;
  return async (expected: number) => {
    present += 1;
    if (expected > 1 && present === expected) all.resolve();
    if (expected > 1) await all.promise;
  };
}
