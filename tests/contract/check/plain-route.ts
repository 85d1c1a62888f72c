import { convertToModelMessages, generateId, isStepCount, streamText, tool, type UIMessage } from 'ai';
import { scriptedModel } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../lib/testing/server/serve.ts';

/**
 * A chat route as the SDK's documentation has it, over real HTTP: `streamText` with `toolApproval`, told whatever
 * history the client sends. A request that it cannot read gets 500, as in Next.
 *
 * @param settings.namesMessages whether its responses say which message they go on with
 * @returns its address, and what its tools did
 */
export async function servePlainRoute({ namesMessages = false } = {}) {
  const ran: string[] = [];
  const receipt = (what: string) => ({ what, receipt: ran.push(what) });
  const tools = {
    pay: tool({
      inputSchema: z.object({ to: z.string(), amount: z.number() }),
      execute: async ({ to, amount }) => receipt(`paid ${to} ${amount}`),
    }),
    search: tool({
      inputSchema: z.object({ query: z.string() }),
      execute: async ({ query }) => receipt(`searched ${query}`),
    }),
    update: tool({
      inputSchema: z.object({ set: z.string() }),
      execute: async ({ set }) => receipt(`set ${set}`),
    }),
  };
  const model = scriptedModel(({ prompt }) => {
    const asked = JSON.stringify(prompt.filter(({ role }) => role === 'user'));
    const results = prompt.filter(({ role }) => role === 'tool').length;
    if (asked.includes('Pay')) {
      if (results > 0) return [{ text: 'That is all.' }];
      return [
        { text: 'I pay them both.' },
        { call: 'pay', input: { to: 'Alice', amount: 30 } },
        { call: 'pay', input: { to: 'Bob', amount: 40 } },
      ];
    }
    if (!asked.includes('Search')) return [{ text: 'Sunny.' }];
    if (results === 0) return [{ text: 'Let me look.' }, { call: 'search', input: { query: 'users' } }];
    if (results === 1) return [{ text: 'Found 10.' }, { call: 'update', input: { set: 'active' } }];
    return [{ text: 'Updated.' }];
  });

  async function post(request: Request): Promise<Response> {
    const { messages }: { messages: UIMessage[] } = await request.json();
    const result = streamText({
      model,
      tools,
      toolApproval: { pay: 'user-approval', search: 'user-approval', update: 'user-approval' },
      stopWhen: isStepCount(5),
      messages: await convertToModelMessages(messages),
      onError: () => {},
    });
    const named = { originalMessages: messages, generateMessageId: generateId };
    return result.toUIMessageStreamResponse(namesMessages ? named : {});
  }

  const served = await serve({
    fetch(request) {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/api/chat') {
        return new Response(null, { status: 404 });
      }
      return post(request).catch(() => new Response('Internal Server Error', { status: 500 }));
    },
  });
  onTestFinished(() => served.close());
  return { api: `${served.url}/api/chat`, ran };
}
