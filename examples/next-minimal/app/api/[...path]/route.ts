import { openai } from '@ai-sdk/openai';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { z } from 'zod';

const flow = createApprovalFlow({
  store: sqliteStore({ path: 'chats.sqlite' }),
  model: openai('gpt-5-mini'),
  tools: {
    process_payment: tool({
      description: 'Pay an amount of money to a recipient.',
      inputSchema: z.object({ recipient: z.string(), amount: z.number().positive() }),
      execute: async ({ recipient, amount }) => `Paid ${recipient} ${amount}.`,
    }),
  },
  toolApproval: { process_payment: 'user-approval' },
  toolDetails: {
    process_payment: {
      describe: ({ recipient, amount }) => `Pay ${recipient} ${amount}.`,
      summarize: (summary) => ({ summary, resultCount: 1 }),
      risk: 'high',
    },
  },
  logger: console,
});

// Everyone is the same user here. Return the user of your login; `null` refuses the request.
const handler = createFetchHandler(flow, { authorize: () => ({ id: 'local', name: 'You' }) });

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST };
