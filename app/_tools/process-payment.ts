import { tool } from 'ai';
import { type ApproverRule, notTheAsker } from 'countersign';
import { z } from 'zod';
import type { DemoDatabase } from '../_data/demo-database.ts';
import type { ToolDetails } from './details.ts';
import { shown } from './details.ts';

const defaultCurrency = 'USD';

/** The largest amount that whoever asks for a payment may approve without somebody else. */
const largestOwnPayment = 1_000;

const inputSchema = z.object({
  recipient: z.string().trim().min(1).max(200).describe('Who is paid.'),
  amount: z.number().positive().max(1_000_000).describe('How much, in whole units of the currency.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe(`Three-letter code; ${defaultCurrency} when left out.`),
});

/** What the flow adds to every call's context. */
const callContext = z.object({ idempotencyKey: z.string() });

type Input = z.infer<typeof inputSchema>;
type Output = {
  readonly paid: true;
  readonly recipient: string;
  readonly amount: number;
  readonly currency: string;
};

/**
 * `process_payment`: adds exactly one row to the demo `payments` table, under the call's idempotency key. A second
 * run of the same call fails on that key instead of paying again, so a double execution cannot pass unseen.
 *
 * @throws Error without an idempotency key, which the flow gives to every call
 */
export function processPaymentTool(database: DemoDatabase) {
  return tool({
    title: 'Process payment',
    description: 'Pay an amount of money to a recipient.',
    inputSchema,
    execute: async (input: Input, { toolCallId, context }): Promise<Output> => {
      const { idempotencyKey } = callContext.parse(context);
      const { recipient, amount, currency } = database.insertPayment(idempotencyKey, {
        toolCallId,
        recipient: input.recipient,
        amount: input.amount,
        currency: input.currency ?? defaultCurrency,
      });
      return { paid: true, recipient, amount, currency };
    },
  });
}

/**
 * Small payments are for whoever asked for them to approve; a larger one needs four eyes: a manager, who is not the
 * one who asked. Arguments that cannot be read are as good as large.
 */
const approvers: ApproverRule = (principal, question) => {
  const { data: payment } = inputSchema.safeParse(question.input);
  if (payment && payment.amount <= largestOwnPayment) return principal.id === question.askedBy.id;
  return principal.role === 'manager' && notTheAsker(principal, question);
};

/**
 * What people are told about `process_payment`. Not idempotent: after a crash it is looked up by its key. A payment that
 * is not there may still be on its way, so its outcome stays unknown.
 */
export const processPaymentDetails = (database: DemoDatabase): ToolDetails<Input, Output> => ({
  title: 'Process payment',
  risk: 'high',
  idempotent: false,
  retryable: false,
  neverRemember: true,
  approvers,
  describe: ({ recipient, amount, currency = defaultCurrency }) =>
    `Pay ${shown(recipient)} ${amount} ${currency}.`,
  summarize: ({ recipient, amount, currency }) => ({
    summary: `Paid ${shown(recipient)} ${amount} ${currency}`,
    resultCount: 1,
  }),
  lookup(idempotencyKey) {
    const payment = database.findPayment(idempotencyKey);
    if (!payment) return undefined;
    const { recipient, amount, currency } = payment;
    return { outcome: 'completed', output: { paid: true, recipient, amount, currency } };
  },
});
