import type { ToolSet } from 'ai';
import type { ApproverRule, FlowSettings, Principal } from 'countersign';
import type { FlowEvent, FlowPlugin } from 'countersign/plugin';
import { type Escalation, type EscalationState, escalation } from 'countersign/plugins/escalation';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { type ApprovalId, parseApprovalId } from '../../lib/protocol/index.ts';
import { ada, countingTools, flowFixture, questionIn } from './flow-fixture.ts';

export const ben: Principal = { id: 'ben', name: 'Ben', role: 'clerk' };
export const max: Principal = { id: 'max', name: 'Max', role: 'manager' };
export const eve: Principal = { id: 'eve', name: 'Eve', role: 'director' };

export const minute = 60_000;
export const role =
  (name: string): ApproverRule =>
  (principal) =>
    principal.role === name;

/** Managers after ten minutes, the director after twenty. */
export const twoSteps: Escalation = {
  steps: [
    { afterMs: 10 * minute, to: role('manager'), label: 'managers' },
    { afterMs: 20 * minute, to: role('director'), label: 'the director' },
  ],
};

/** Each message asks to pay its number, or 30; then the model is finished. */
const script: Script = ({ prompt }) => {
  const last = prompt.at(-1);
  if (last?.role === 'tool') return [{ text: 'Done.' }];
  const amount = Number(/\d+/.exec(JSON.stringify(last?.content))?.[0] ?? 30);
  return [{ call: 'pay', id: `pay-${amount}`, input: { to: 'alice', amount } }];
};

/** A flow that asks before it pays, whose clock stands still. Sweeps take place when a test wants them (`flow.recover`). */
export function escalating(
  ofAll: Escalation | undefined,
  settings: Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] } = {},
) {
  const clock = fakeClock();
  const store: FlowStore = settings.store ?? sqliteStore({ path: ':memory:' });
  // Every instance runs the same effects.
  const { tools, ran } = countingTools();
  const instance = (more: Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] } = {}) => {
    const fixture = flowFixture(script, {
      ...{ tools: tools as ToolSet, clock, store },
      // No sweep takes place by itself.
      sweepMs: 10_000 * minute,
      logger: { warn: () => {}, error: () => {} },
      ...settings,
      ...more,
      plugins: [escalation(ofAll), ...(settings.plugins ?? []), ...(more.plugins ?? [])],
    });
    onTestFinished(() => fixture.flow.close());
    return fixture;
  };
  const here = instance();
  const { flow } = here;

  /** Asks in a chat of its own. */
  async function ask(amount = 30) {
    const chat = here.chat(`chat-${amount}`);
    const approvalId = parseApprovalId(questionIn(await chat.say(`Pay ${amount}.`)));
    const log = () => store.events.read(chat.id, 0);
    return {
      ...{ approvalId, chat, log },
      answer: (principal: Principal, approved = true, id: ApprovalId = approvalId, on = flow) =>
        on.approvals.answer({ principal, approvalId: id, approved, via: 'http' }),
      /** Whether the answer of this person was accepted. */
      tries: (principal: Principal, approved = true) =>
        flow.approvals.answer({ principal, approvalId, approved, via: 'http' }).then(
          () => 'accepted',
          (error: { code?: string }) => error.code ?? 'failed',
        ),
      /** What happened to the question, in order. */
      story: async () => (await log()).flatMap(stepOf),
      question: () => store.questions.read(approvalId),
    };
  }

  /** Lets time pass, and then one sweep take place. */
  const pass = async (ms: number, on = flow) => {
    clock.advance(ms);
    await on.recover();
  };

  return { ...here, ran, clock, store, instance, ask, pass, owner: ada };
}

function stepOf(event: FlowEvent): string[] {
  switch (event.type) {
    case 'approval-requested':
      return ['asked'];
    case 'plugin-event': {
      const { step, reminders } = event.says as EscalationState;
      return [event.name === 'escalated' ? `step ${step}` : `reminder ${reminders}`];
    }
    case 'approval-answered':
      return [event.approved ? 'approved' : 'denied'];
    case 'approval-withdrawn':
      return [event.reason];
    case 'tool-started':
      return ['started'];
    default:
      return [];
  }
}
