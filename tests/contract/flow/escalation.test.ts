import { tool } from 'ai';
import type { Principal } from 'countersign';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { escalation } from 'countersign/plugins/escalation';
import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { askingFixture, book, done } from '../../support/asking-fixture.ts';
import { checkLog } from '../../support/check-log.ts';
import { ben, escalating, max, minute, twoSteps } from '../../support/escalation-fixture.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';
import { waitFor } from '../../support/wait-for.ts';

const isoTime = (at: number) => new Date(at).toISOString();

it('records with a question when it is escalated, and how far that has come', async () => {
  const { ask, clock, pass } = escalating({ ...twoSteps, end: { afterMs: 60 * minute, then: 'deny' } });
  const start = clock.now();
  const { question, story } = await ask();
  expect(await question()).toMatchObject({
    deadline: start + 60 * minute,
    plugins: { escalation: { step: 0, nextAt: isoTime(start + 10 * minute), end: { then: 'deny' } } },
  });
  await pass(10 * minute);
  expect(await question()).toMatchObject({
    state: 'open',
    plugins: {
      escalation: {
        step: 1,
        at: isoTime(clock.now()),
        label: 'managers',
        nextAt: isoTime(start + 20 * minute),
      },
    },
  });
  await pass(10 * minute);
  const after = (await question())?.plugins?.escalation;
  expect(after).toMatchObject({ step: 2, label: 'the director' });
  expect(after).not.toHaveProperty('nextAt');
  expect(await story()).toEqual(['asked', 'step 1', 'step 2']);
});

it('escalates the question of a running call, which goes on with the answer of a manager', async () => {
  const clock = fakeClock();
  const plan = { ...twoSteps, end: { afterMs: 30 * minute, then: 'ask-again' as const } };
  const { flow, chat, answers, store, say, id } = askingFixture([[book('b')], done], {
    ...{ clock, sweepMs: 10_000 * minute, plugins: [escalation(plan)] },
  });
  onTestFinished(() => flow.close());
  const approvalId = parseApprovalId(questionIn(await say('Go.')));
  // It cannot be asked again: only the call itself can ask.
  expect(await store.questions.read(approvalId)).toMatchObject({
    plugins: { escalation: { step: 0, end: { then: 'deny' } } },
  });
  clock.advance(10 * minute);
  await flow.recover();
  await flow.approvals.answer({
    principal: max,
    approvalId,
    approved: true,
    input: { nights: 3 },
    via: 'http',
  });
  await waitFor(() => expect(answers).toEqual([{ action: 'accept', content: { nights: 3 } }]));
  await chat().resume();
  const log = await store.events.read(id, 0);
  expect(log.map(({ type }) => type)).toContain('tool-completed');
  expect(checkLog(log)).toEqual([]);
});

it('does not let the agent that asked answer, whatever a step allows', async () => {
  const clock = fakeClock();
  const plan = { steps: [{ afterMs: minute, to: () => true }] };
  const { flow, store } = flowFixture([], {
    ...{ clock, sweepMs: 10_000 * minute },
    plugins: [escalation(plan), agentRequests({ approvers: () => false })],
  });
  onTestFinished(() => flow.close());
  const agent: Principal = { id: 'agent', name: 'Agent', role: 'agent' };
  const approvalId = await flow.agentRequests.create({ principal: agent, key: 'deploy-1', title: 'Deploy.' });
  clock.advance(minute);
  await flow.recover();
  expect(await store.questions.read(approvalId)).toMatchObject({
    plugins: { escalation: { step: 1 } },
  });
  const answer = (principal: Principal) =>
    flow.approvals.answer({ principal, approvalId, approved: true, via: 'http' });
  await expect(answer(agent)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await answer(ben)).toMatchObject({ state: 'approved' });
});

it('a question that is read as open just before its answer is written is not asked again', async () => {
  const plain = sqliteStore({ path: ':memory:' });
  let stale: Awaited<ReturnType<FlowStore['questions']['read']>>;
  const store: FlowStore = {
    ...plain,
    questions: {
      ...plain.questions,
      read: async (id) => stale ?? plain.questions.read(id),
      due: async (...given) => (stale ? [stale] : plain.questions.due(...given)),
    },
  };
  const work = Promise.withResolvers<string>();
  const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => work.promise });
  const { ask, pass } = escalating(
    { steps: [], end: { afterMs: minute, then: 'ask-again' } },
    { store, tools: { pay } },
  );
  const { approvalId, answer, story } = await ask();
  const open = await plain.questions.read(approvalId);
  await answer(ada);
  await waitFor(async () => expect(await story()).toEqual(['asked', 'approved', 'started']));
  stale = open;
  await pass(2 * minute);
  stale = undefined;
  work.resolve('Paid.');
  expect(await story()).toEqual(['asked', 'approved', 'started']);
});
