import { z } from 'zod';
import { bracketed } from '../outcome.ts';
import { paymentOrdersIn } from '../payment-orders.ts';
import type { Scene } from '../scene.ts';
import type { EndedCall } from '../turn.ts';
import { callsOf } from '../turn.ts';

const payment = z.object({ recipient: z.string(), amount: z.number(), currency: z.string().default('USD') });

/** One sentence: paid, with the executed arguments (a person may have edited them), or not paid, and why. */
function sentence({ input, outcome }: EndedCall): string {
  const executed = outcome.state === 'completed' ? payment.safeParse(outcome.value).data : undefined;
  const { recipient, amount, currency } = executed ??
    payment.safeParse(input).data ?? { recipient: 'The recipient', amount: 'the amount', currency: '' };
  const sum = `${amount} ${currency}`.trim();
  switch (outcome.state) {
    case 'completed':
      return `${recipient} was paid ${sum}.`;
    case 'denied':
      return `${recipient} was not paid ${sum}: the payment was denied${bracketed(outcome.reason)}.`;
    case 'failed':
      return `${recipient} was not paid ${sum}: the payment failed (${outcome.reason}).`;
    case 'unknown':
      return `It is unknown whether ${recipient} was paid ${sum}${bracketed(outcome.reason)}.`;
    default:
      return outcome satisfies never;
  }
}

/** "Pay Alice 30 and Bob 40": all payments in one step, then one sentence for each. */
export const paymentsScene: Scene = (turn) => {
  const orders = paymentOrdersIn(turn.request);
  if (orders.length === 0) return undefined;
  const ended = callsOf(turn, 'process_payment');
  if (ended.length > 0) return { text: ended.map(sentence).join(' ') };
  return { calls: orders.map((input) => ({ toolName: 'process_payment', input })) };
};
