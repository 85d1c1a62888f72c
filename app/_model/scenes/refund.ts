import { z } from 'zod';
import { bracketed } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { callsOf } from '../turn.ts';

/** What every order of the demo's imaginary shop cost, in USD. */
const price = 250;

const refund = z.object({ refunded: z.number() });

/** "Refund order 1007": a call whose question offers a smaller refund. */
export const refundScene: Scene = (turn) => {
  const order = /\brefund\s+(?:the\s+)?order\s+(?:no\.?\s*|number\s+|#)?(\d{1,9})\b/i.exec(turn.request)?.[1];
  if (order === undefined) return undefined;
  const outcome = callsOf(turn, 'refund_order').at(-1)?.outcome;
  const input = { orderNumber: Number(order), amount: price };
  if (!outcome) return { calls: [{ toolName: 'refund_order', input }] };
  switch (outcome.state) {
    case 'completed': {
      // A person may have chosen a smaller amount.
      const { refunded = price } = refund.safeParse(outcome.value).data ?? {};
      return { text: `Order ${order}: ${refunded} USD were refunded.` };
    }
    case 'denied':
      return { text: `Order ${order} was not refunded: the call was denied${bracketed(outcome.reason)}.` };
    case 'failed':
      return { text: `Order ${order} was not refunded: ${outcome.reason}.` };
    case 'unknown':
      return { text: `It is unknown whether order ${order} was refunded${bracketed(outcome.reason)}.` };
    default:
      return outcome satisfies never;
  }
};
