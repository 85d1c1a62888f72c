import { tool } from 'ai';
import { z } from 'zod';

export const payments: string[] = [];

export const tools = {
  pay: tool({
    description: 'Pays somebody.',
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    execute: async ({ to, amount }) => {
      payments.push(`${to} ${amount}`);
      return `Paid ${to} ${amount}.`;
    },
  }),
};
