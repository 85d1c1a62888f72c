import { type FlowSettings, notTheAsker, type Principal } from 'countersign';
import { escalation } from 'countersign/plugins/escalation';
import { describe, expect, it } from 'vitest';
import { ada, ben, cleo, dan, delegating, hour } from '../../support/delegation-fixture.ts';

const eva: Principal = { id: 'eva', name: 'Eva', role: 'manager' };
const finn: Principal = { id: 'finn', name: 'Finn', role: 'director' };
const person = ({ id, name }: Principal) => ({ id, name });

/** Two managers must approve. After an hour, directors may vote, too. */
const twoManagers = {
  plugins: [escalation()],
  toolDetails: {
    pay: {
      votes: { count: 2 },
      approvers: (who, question) => who.role === 'manager' && notTheAsker(who, question),
      escalation: { steps: [{ afterMs: hour, to: ({ role }) => role === 'director', label: 'Directors' }] },
    },
  },
} satisfies Partial<FlowSettings>;

/** Ada asks. Ben and Eva are managers, Finn is a director, Cleo and Dan have no rights of their own. */
async function asked() {
  const flow = delegating(undefined, twoManagers);
  for (const each of [eva, finn]) flow.known.set(each.id, each);
  const id = await flow.asked();
  const read = (principal: Principal) => flow.flow.approvals.read({ principal, approvalId: id });
  return { ...flow, id, read };
}

describe('votes by delegation', () => {
  it('name both people, and count like any other vote', async () => {
    const { give, answer, id, read, chat, ran } = await asked();
    await give(ben, cleo);
    const open = await answer(cleo, id);
    const forBen = { approved: true, by: person(cleo), onBehalfOf: person(ben) };
    expect(open).toMatchObject({ state: 'open', hasAnswered: true, answers: [forBen] });
    await answer(eva, id);
    await chat().resume();
    expect(ran).toHaveLength(1);
    expect(await read(ada)).toMatchObject({
      state: 'approved',
      answers: [forBen],
      answer: { by: person(eva) },
    });
  });

  it('leave the person whose right was used without a second vote', async () => {
    const { give, answer, id, read } = await asked();
    await give(ben, cleo);
    await answer(cleo, id);
    expect(await read(ben)).toMatchObject({ mayAnswer: false, hasAnswered: true });
    await expect(answer(ben, id, { approved: false })).rejects.toMatchObject({ code: 'already-answered' });
    await give(ben, dan);
    await expect(answer(dan, id)).rejects.toMatchObject({ code: 'not-found' });
    expect((await read(eva)).answers).toHaveLength(1);
  });

  it('are not possible for a person who has voted', async () => {
    const { give, answer, id, read } = await asked();
    await give(ben, cleo);
    await answer(ben, id);
    await expect(answer(cleo, id)).rejects.toMatchObject({ code: 'not-found' });
    expect((await read(eva)).answers).toEqual([expect.objectContaining({ by: person(ben) })]);
  });

  it('are not possible for a person who has voted by their own right', async () => {
    const { give, answer, id, read } = await asked();
    await give(ben, eva);
    await answer(eva, id);
    expect(await read(eva)).toMatchObject({ state: 'open', mayAnswer: false, hasAnswered: true });
    await expect(answer(eva, id, { approved: false })).rejects.toMatchObject({ code: 'already-answered' });
  });

  it('use the right of another giver if the first has voted', async () => {
    const { give, answer, id, ran, chat } = await asked();
    await give(ben, cleo);
    await give(eva, cleo);
    await answer(ben, id);
    const settled = await answer(cleo, id);
    expect(settled.answer).toMatchObject({ by: person(cleo), onBehalfOf: person(eva) });
    await chat().resume();
    expect(ran).toHaveLength(1);
  });
});

describe('votes after an escalation', () => {
  it('are those of the people that the step adds, directly or by delegation, and the record says so', async () => {
    const { give, answer, id, clock, flow, chat, ran } = await asked();
    await answer(ben, id);
    await expect(answer(finn, id)).rejects.toMatchObject({ code: 'not-found' });
    clock.advance(hour);
    await flow.recover();
    await give(finn, dan);
    await answer(dan, id);
    await chat().resume();
    expect(ran).toHaveLength(1);
    const { entries } = await flow.audit.read({ chatId: chat().id, principal: ada });
    expect(entries.find(({ type }) => type === 'answered')).toMatchObject({
      by: person(dan),
      onBehalfOf: person(finn),
      rule: 'plugin:escalation',
    });
  });
});

it('options are refused for a tool that several people must approve', () => {
  const options = [
    { id: 'all', label: 'Approve', then: 'approve' },
    { id: 'none', label: 'Deny', then: 'deny' },
  ] as const;
  expect(() => delegating(undefined, { toolDetails: { pay: { votes: { count: 2 }, options } } })).toThrow(
    /`toolDetails\.pay\.votes` is not supported with `options`/,
  );
});
