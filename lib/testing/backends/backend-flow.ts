import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { tool } from 'ai';
import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { createApprovalFlow } from '../../flow/create-approval-flow.ts';
import { sqliteStore } from '../../stores/sqlite/store.ts';
import { scriptedModel } from '../model/scripted-model.ts';
import type { ScriptedStep } from '../model/scripted-step.ts';
import type { PaymentLedger } from './payment-ledger.ts';

/** The two payments of every turn, in call order. */
export const backendPayments = [
  { to: 'Alice', amount: 30 },
  { to: 'Bob', amount: 40 },
] as const;

/**
 * The flow behind every test backend. For any prompt its model writes one word, requests two gated payments in one
 * step, and writes another word when both are settled. That makes three responses per turn, and one turn per message.
 *
 * @param ledger records the payments
 */
export function backendFlow(ledger: PaymentLedger): { flow: ApprovalFlow; close(): Promise<void> } {
  const store = sqliteStore({ path: ':memory:' });
  const pay = tool({
    description: 'Pays somebody.',
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    needsApproval: true,
    execute: (input, { toolCallId }) => ledger.pay(toolCallId, input),
  });
  const flow = createApprovalFlow({
    store,
    model: scriptedModel(nextStep),
    tools: { pay },
    logger: { warn: () => {}, error: () => {} },
  });
  return {
    flow,
    async close() {
      await flow.close();
      await store.close();
    },
  };
}

function nextStep({ prompt }: LanguageModelV4CallOptions): ScriptedStep {
  if (prompt.at(-1)?.role === 'tool') return [{ text: 'That is all.' }];
  return [{ text: 'Two payments.' }, ...backendPayments.map((input) => ({ call: 'pay', input }))];
}
