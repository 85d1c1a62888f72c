import { tool } from 'ai';
import { type ApproverRule, notTheAsker } from 'countersign';
import { z } from 'zod';
import type { DemoDatabase } from '../_data/demo-database.ts';
import type { ToolDetails } from './details.ts';
import { counted, shown } from './details.ts';

const defaultCurrency = 'USD';

/** The largest amount that people may approve for themselves. */
const largestOwnPayment = 1_000;

const inputSchema = z.object({
  recipient: z.string().trim().min(1).max(200).describe('The recipient.'),
  amount: z.number().positive().max(1_000_000).describe('The amount, in whole units of the currency.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe(`Three-letter code. Default: ${defaultCurrency}.`),
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
 * `process_payment`: adds exactly one row to the demo `payments` table, under the call's idempotency key. A second run
 * of the same call fails on that key, so a double execution cannot go unnoticed.
 *
 * @throws Error without an idempotency key; the flow provides one for every call
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
 * The person who asked may approve a small payment. A larger one needs a second person: a manager who did not ask for
 * it. Arguments that cannot be parsed count as a large payment.
 */
const approvers: ApproverRule = (principal, question) => {
  const { data: payment } = inputSchema.safeParse(question.input);
  if (payment && payment.amount <= largestOwnPayment) return principal.id === question.askedBy.id;
  return principal.role === 'manager' && notTheAsker(principal, question);
};

/** The other half of the rule above, in words. */
const whoMayAnswer: ToolDetails<Input, Output>['whoMayAnswer'] = (principal, { askedBy, input }) => {
  const { data: payment } = inputSchema.safeParse(input);
  if (payment && payment.amount <= largestOwnPayment) return `Waiting for ${askedBy.name}.`;
  const own = `You can't approve your own request above ${largestOwnPayment.toLocaleString('en')}.`;
  return principal.id === askedBy.id ? `Waiting for a manager. ${own}` : 'Waiting for a manager.';
};

/**
 * How `process_payment` is presented. Not idempotent: after a crash it is looked up by its key. A payment that is not
 * found may still be in progress, so its outcome stays unknown.
 */
export const processPaymentDetails = (database: DemoDatabase): ToolDetails<Input, Output> => ({
  title: 'Process payment',
  subject: ({ recipient }) => recipient,
  risk({ amount }, { history }) {
    const reasons = [
      ...(amount > largestOwnPayment ? [`above ${largestOwnPayment.toLocaleString('en')}`] : []),
      ...(history?.count === 0 ? ['new payee'] : []),
    ];
    return reasons.length === 0 ? 'high' : { level: 'high', reason: reasons.join(', ') };
  },
  idempotent: false,
  retryable: false,
  remembered: false,
  approvers,
  whoMayAnswer,
  describe: ({ recipient, amount, currency = defaultCurrency }) =>
    `Pay ${shown(recipient)} ${amount} ${currency}.`,
  preview({ recipient, amount, currency = defaultCurrency }) {
    const earlier = database
      .listPayments()
      .filter((payment) => payment.recipient === recipient && payment.currency === currency);
    const before = earlier.reduce((sum, payment) => sum + payment.amount, 0);
    const count = counted(earlier.length, 'payment');
    const paidBefore = earlier.length === 0 ? 'Nothing' : `${before} ${currency} in ${count}`;
    return {
      summary: `${shown(recipient)} receives ${amount} ${currency}.`,
      parts: [
        {
          type: 'totals',
          totals: [
            { label: 'Paid before', value: paidBefore },
            { label: 'With this payment', value: `${before + amount} ${currency}` },
          ],
        },
      ],
    };
  },
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
