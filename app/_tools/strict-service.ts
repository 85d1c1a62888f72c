import { tool } from 'ai';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';

const inputSchema = z.object({
  orderNumber: z.number().int().positive().describe('The number of an order, at least 1.'),
});

type Input = z.infer<typeof inputSchema>;
type Output = { readonly status: 'ok'; readonly orderNumber: number };

/** `strict_service`: accepts a positive integer order number only. Other input never reaches it. */
export function strictServiceTool() {
  return tool({
    title: 'Strict service',
    description: 'Look up an order by its number.',
    inputSchema,
    execute: async ({ orderNumber }: Input): Promise<Output> => ({ status: 'ok', orderNumber }),
  });
}

/** How `strict_service` is presented. */
export const strictServiceDetails: ToolDetails<Input, Output> = {
  title: 'Strict service',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: ({ orderNumber }) => `Looking up order ${orderNumber}`,
  summarize: ({ orderNumber }) => ({ summary: `Order ${orderNumber} is known`, resultCount: 1 }),
};
