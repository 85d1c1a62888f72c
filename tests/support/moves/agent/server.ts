import { createAgentUIStreamResponse, isStepCount, ToolLoopAgent } from 'ai';
import { z } from 'zod';
import { model } from '../model.ts';
import { tools } from './tools.ts';

const agent = new ToolLoopAgent({
  model,
  tools,
  toolApproval: { pay: 'user-approval' },
  stopWhen: isStepCount(10),
  callOptionsSchema: z.object({ plan: z.enum(['free', 'pro']) }),
  prepareCall: ({ options, ...settings }) => ({
    ...settings,
    instructions: `You pay invoices on the plan ${options.plan}.`,
  }),
});

/** `POST /api/chat`. */
export async function handle(request: Request): Promise<Response> {
  const { messages, plan } = await request.json();
  return createAgentUIStreamResponse({ agent, uiMessages: messages, options: { plan } });
}
