import type { Policies } from 'countersign/plugins/rehearsal';
import { z } from 'zod';

/** The highest payment that runs without a question under the policy for small payments. */
const smallPayment = 100;

const paymentSchema = z.object({ amount: z.number() });

/**
 * Policies that no turn uses. The operations page rehearses them on past calls.
 *
 * @param toolApproval the policy in use
 */
export function demoPolicies(toolApproval: Readonly<Record<string, 'user-approval'>>): Policies {
  return {
    'Small payments run without a question': {
      ...toolApproval,
      process_payment: (input: unknown) => {
        const { data: payment } = paymentSchema.safeParse(input);
        return payment && payment.amount <= smallPayment ? 'approved' : 'user-approval';
      },
    },
    'Web search needs approval, too': { ...toolApproval, web_search: 'user-approval' },
    'Nobody rotates keys': {
      ...toolApproval,
      rotate_key: { type: 'denied', reason: 'Keys are rotated by operations.' },
    },
  };
}
