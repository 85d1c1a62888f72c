import { type ToolSet, tool } from 'ai';
import type { FlowSettings, Principal } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { votes } from 'countersign/plugins/votes';
import { fakeClock, type Script } from 'countersign/testing';
import { z } from 'zod';
import { type AnswerRequest, parseApprovalId } from '../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from './flow-fixture.ts';

type Details = NonNullable<FlowSettings['toolDetails']>[string];

export const bob: Principal = { id: 'bob', name: 'Bob', role: 'approver' };
export const cleo: Principal = { id: 'cleo', name: 'Cleo', role: 'approver' };
export const dan: Principal = { id: 'dan', name: 'Dan', role: 'approver' };

/** Approvers, and nobody else. */
export const byApprovers = (who: Principal) => who.role === 'approver';

/** A tool with a countable effect. */
function payingTools() {
  const ran: { amount: number; approvers: unknown }[] = [];
  const tools = {
    pay: tool({
      inputSchema: z.object({ to: z.string(), amount: z.number() }),
      needsApproval: true,
      execute: async ({ amount }, { context }) => {
        ran.push({ amount, approvers: (context as { approvers?: unknown }).approvers });
        return { paid: amount };
      },
    }),
  };
  return { tools, ran };
}

/** Another instance on the same data, whose model continues after the payment. */
export function votingAgain(settings: Partial<FlowSettings>) {
  const { tools, ran } = payingTools();
  const common = { tools: tools as ToolSet, mayRead: () => true, plugins: [votes()] };
  return { ...flowFixture([[{ text: 'Paid.' }]], { ...common, ...settings } as Partial<FlowSettings>), ran };
}

/** Ada asks for a payment that two of the approvers must approve. */
export async function votingFixture(
  settings: Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] } = {},
  details: Details = {},
  script: Script = [
    [{ call: 'pay', id: 'pay-1', input: { to: 'alice', amount: 5 } }],
    [{ text: 'Paid.' }],
    [{ text: 'So.' }],
  ],
) {
  const { tools, ran } = payingTools();
  const clock = fakeClock();
  const toolDetails: Record<string, Details> = {
    pay: {
      describe: ({ to, amount }: { to: string; amount: number }) => `Pay ${to} ${amount}.`,
      approvers: byApprovers,
      votes: { count: 2 },
      ...details,
    } as Details,
  };
  const fixture = flowFixture(script, {
    tools: tools as ToolSet,
    toolDetails,
    clock,
    mayRead: () => true,
    logger: { warn: () => {}, error: () => {} },
    ...settings,
    plugins: [votes(), ...(settings.plugins ?? [])],
  } as Partial<FlowSettings>);
  const { flow, read } = fixture;
  const chat = fixture.chat();
  const first = await chat.say('Pay.');
  const approvalId = parseApprovalId(questionIn(first));
  const withAnswer = (id: string, approved: boolean, more: Partial<AnswerRequest>): AnswerRequest => ({
    ...more,
    approvalId: parseApprovalId(id),
    approved,
  });
  return {
    ...fixture,
    ...chat,
    chat,
    ran,
    clock,
    first,
    approvalId,
    toolDetails,
    /** Answers from the inbox (H10). */
    vote: (
      principal: Principal,
      approved = true,
      more: Partial<AnswerRequest> = {},
      id: string = approvalId,
    ) => flow.approvals.answer({ ...withAnswer(id, approved, more), principal, via: 'http' }),
    /** Answers in the chat (H1), and reads the response. */
    voteInChat: async (
      principal: Principal,
      approved = true,
      more: Partial<AnswerRequest> = {},
      id: string = approvalId,
    ) =>
      read(
        await flow.chats.respond({
          chatId: chat.id,
          principal,
          trigger: 'submit-message',
          via: 'sse',
          answers: [withAnswer(id, approved, more)],
        }),
      ),
    question: (principal: Principal = ada, id: string = approvalId) =>
      flow.approvals.read({ principal, approvalId: parseApprovalId(id) }),
    /** Waits until no run is active. */
    rests: async (principal: Principal = ada) => {
      const stream = await flow.chats.resume({ chatId: chat.id, principal });
      return stream && read(stream);
    },
  };
}
