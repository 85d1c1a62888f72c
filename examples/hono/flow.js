import { openai } from '@ai-sdk/openai';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { z } from 'zod';

/** Asks before it pays. Chats survive restarts: they are in the file. */
export const flow = createApprovalFlow({
  store: sqliteStore({ path: process.env.CHATS ?? 'chats.sqlite' }),
  model: openai(process.env.OPENAI_MODEL ?? 'gpt-5-mini'),
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
      risk: 'high',
    },
  },
});
