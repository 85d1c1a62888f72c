import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { tool } from 'ai';
import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { createApprovalFlow } from '../../flow/create-approval-flow.ts';
import { sqliteStore } from '../../stores/sqlite/store.ts';
import { scriptedModel } from '../scripted-model.ts';
import type { ScriptedStep } from '../scripted-step.ts';
import type { PaymentLedger } from './payment-ledger.ts';

/** The two payments of every turn, in call order. */
export const backendPayments = [
  { to: 'Alice', amount: 30 },
  { to: 'Bob', amount: 40 },
] as const;

/**
 * The flow behind every backend of the kit: whatever it is told, its model says a word, asks for two payments in one
 * step, both gated, and says one more word when both are settled. Three responses a turn, and a turn for each message.
 *
 * @param ledger where the payments are made
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
