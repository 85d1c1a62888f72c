import { tool } from 'ai';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';

/** The amount that the smaller option refunds. */
const smallRefund = 100;

const inputSchema = z.object({
  orderNumber: z.number().int().positive().describe('The number of the order.'),
  amount: z.number().positive().max(10_000).describe('The amount to refund, in USD.'),
});

type Input = z.infer<typeof inputSchema>;
type Output = { readonly orderNumber: number; readonly refunded: number };

/** `refund_order`: refunds part of an order of the demo's imaginary shop. */
export function refundOrderTool() {
  return tool({
    title: 'Refund order',
    description: 'Refund an amount of an order to the customer.',
    inputSchema,
    execute: async ({ orderNumber, amount }: Input): Promise<Output> => ({ orderNumber, refunded: amount }),
  });
}

/** How `refund_order` is presented: with a smaller refund as an option. */
export const refundOrderDetails: ToolDetails<Input, Output> = {
  title: 'Refund order',
  risk: 'medium',
  idempotent: false,
  retryable: false,
  remembered: false,
  options: [
    { id: 'approve', label: 'Approve', then: 'approve' },
    {
      id: 'up-to-100',
      label: `Approve up to ${smallRefund} USD`,
      then: 'approve',
      input: (call) => (call.amount > smallRefund ? { ...call, amount: smallRefund } : undefined),
    },
    { id: 'deny', label: 'Deny', then: 'deny' },
  ],
  describe: ({ orderNumber, amount }) => `Refund ${amount} USD of order ${orderNumber}.`,
  summarize: ({ refunded }) => ({ summary: `Refunded ${refunded} USD`, resultCount: 1 }),
};
