import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { type GateDecision, type Policies, rehearsal } from 'countersign/plugins/rehearsal';
import type { ScriptedStep } from 'countersign/testing';
import { z } from 'zod';
import { flowFixture } from '../flow-fixture.ts';

export type Policy = NonNullable<FlowSettings['toolApproval']>;
type Status = 'user-approval' | 'denied' | 'approved' | 'not-applicable';

/** A gate of the tool `pay`. */
export const policy = (
  decide: (amount: number, to: string) => Status | { type: Status; reason: string } | undefined,
): Policy => ({ pay: ({ amount, to }: { amount: number; to: string }) => decide(amount, to) }) as never;

export const lenient = policy((amount) => {
  if (amount > 900) return 'denied';
  return amount > 500 ? 'user-approval' : undefined;
});
export const strict = policy((amount) => {
  if (amount > 800) return 'denied';
  if (amount > 100) return 'user-approval';
  return amount > 50 ? 'approved' : 'not-applicable';
});

export const pay = (amount: number, to = 'Alice') => ({ call: 'pay', input: { to, amount } });
export const done: ScriptedStep = [{ text: 'Done.' }];
const silent = { warn: () => {}, error: () => {} };

/** A flow with a tool `pay`, and the lenient gate. */
export function payingFlow(
  steps: readonly ScriptedStep[],
  settings: Partial<FlowSettings> = {},
  policies: Policies = {},
) {
  const ran: number[] = [];
  const tools: ToolSet = {
    pay: tool({
      inputSchema: z.object({ to: z.string(), amount: z.number() }),
      execute: ({ amount }) => {
        ran.push(amount);
        return 'Paid.';
      },
    }),
  };
  const flow = flowFixture([...steps], {
    ...{ tools, toolApproval: lenient, logger: silent, ...settings },
    plugins: [rehearsal({ policies }), agentRequests({ approvers: () => true })],
  });
  return { ...flow, ran, tools };
}

/** The count of every decision: 0 unless it is given. */
export const counts = (given: Partial<Record<GateDecision, number>>) => ({
  ...{ asked: 0, allowed: 0, denied: 0, failed: 0 },
  ...given,
});

const callsPerChat = 20;
// The amounts are arbitrary, but the same in each run.
const amountOf = (index: number) => (index * 7_919) % 1_000;

/** Plays chats of 20 payments each, and counts what the gate decided, from the log. */
export async function playPayments(chats: number, toolApproval: Policy) {
  const steps = Array.from({ length: chats }, (_, chat) =>
    Array.from({ length: callsPerChat }, (_, call) => pay(amountOf(chat * callsPerChat + call))),
  );
  const played = payingFlow(steps, { toolApproval });
  const decisions: GateDecision[] = [];
  for (let index = 0; index < chats; index += 1) {
    const chat = played.chat(`chat-${index}`);
    await chat.say('Pay them.');
    for (const event of await chat.events()) {
      if (event.type === 'tool-requested') decisions.push(decisionOf(event.gate));
    }
  }
  const counted = counts({});
  for (const decision of decisions) counted[decision] += 1;
  return { ...played, decisions, counts: counted };
}

function decisionOf(gate: { readonly type: string; readonly approved?: boolean }): GateDecision {
  if (gate.type === 'none' || gate.approved === true) return 'allowed';
  if (gate.type === 'ask') return 'asked';
  return gate.type === 'automatic' ? 'denied' : 'failed';
}
