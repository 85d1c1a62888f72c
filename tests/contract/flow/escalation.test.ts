import { expect, it } from 'vitest';
import { ben, escalating, eve, max, minute, role, twoSteps } from '../../support/escalation-fixture.ts';
import { ada } from '../../support/flow-fixture.ts';

it('records with a question when it is escalated, and how far that has come', async () => {
  const { ask, clock, pass } = escalating({ ...twoSteps, end: { afterMs: 60 * minute, then: 'deny' } });
  const start = clock.now();
  const { question, story } = await ask();
  expect(await question()).toMatchObject({
    deadline: start + 60 * minute,
    escalation: { step: 0, of: 2, nextAt: start + 10 * minute, end: 'deny' },
  });
  await pass(10 * minute);
  expect(await question()).toMatchObject({
    state: 'open',
    escalation: { step: 1, of: 2, at: clock.now(), label: 'managers', nextAt: start + 20 * minute },
  });
  await pass(10 * minute);
  const after = (await question())?.escalation;
  expect(after).toMatchObject({ step: 2, label: 'the director' });
  expect(after).not.toHaveProperty('nextAt');
  expect(await story()).toEqual(['asked', 'step 1', 'step 2']);
});

it('lets a manager see and answer the question once it is escalated', async () => {
  const { ask, flow, pass, ran } = escalating(twoSteps, {
    toolDetails: { pay: { approvers: role('clerk') } },
  });
  const { tries, story } = await ask();
  const seen = async (principal = max) =>
    (await flow.approvals({ principal, state: 'open' })).items.map(({ mayAnswer }) => mayAnswer);
  expect(await seen()).toEqual([]);
  expect(await tries(max)).toBe('not-found');
  await pass(10 * minute);
  expect(await seen()).toEqual([true]);
  expect(await seen(ben)).toEqual([true]);
  expect(await seen(eve)).toEqual([]);
  expect(await seen(ada)).toEqual([false]);
  expect(await tries(max)).toBe('accepted');
  expect(await story()).toEqual(['asked', 'step 1', 'approved', 'started']);
  expect(ran).toHaveLength(1);
});
