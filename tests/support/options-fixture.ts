import { type ToolSet, tool } from 'ai';
import type { AnswerOption, FlowSettings } from 'countersign';
import type { Script, ScriptedStep } from 'countersign/testing';
import { z } from 'zod';
import { flowFixture } from './flow-fixture.ts';

export type Payment = { readonly to: string; readonly amount: number; readonly iban?: string };

export const pay = (amount: number, id = 'p'): ScriptedStep[number] => ({
  call: 'pay',
  input: { to: 'Alice', amount },
  id,
});
export const done: ScriptedStep = [{ text: 'Done.' }];

/** Approve, approve a smaller amount, or deny. */
export const upTo100 = {
  id: 'up-to-100',
  label: 'Approve up to 100',
  then: 'approve',
  input: (payment: Payment): unknown => (payment.amount > 100 ? { ...payment, amount: 100 } : undefined),
} satisfies AnswerOption<Payment>;
export const paymentOptions: readonly AnswerOption<Payment>[] = [
  { id: 'approve', label: 'Approve', then: 'approve' },
  upTo100,
  { id: 'deny', label: 'Deny', then: 'deny', reason: 'Ask the payee for an invoice first.' },
];

/** A flow with a gated tool `pay` whose questions offer options. `ran` has the arguments that it ran with. */
export function payingByOption(
  script: Script,
  {
    options = paymentOptions,
    ...settings
  }: Partial<FlowSettings> & { options?: readonly AnswerOption<Payment>[] } = {},
) {
  const ran: Payment[] = [];
  const tools: ToolSet = {
    pay: tool({
      inputSchema: z.object({ to: z.string(), amount: z.number().positive(), iban: z.string().optional() }),
      needsApproval: true,
      execute: (input) => {
        ran.push(input);
        return `Paid ${input.amount}.`;
      },
    }),
  };
  const { toolDetails, ...more } = settings;
  const pay = {
    describe: ({ to, amount }: Payment) => `Pay ${amount} to ${to}.`,
    options,
    ...toolDetails?.pay,
  };
  return { ...flowFixture(script, { tools, ...more, toolDetails: { pay } as never }), ran };
}
