import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approveThenCrash } from '../../support/approve-then-crash.ts';
import { type Deploy, deploys } from '../../support/deploys.ts';
import { ada, questionIn } from '../../support/flow-fixture.ts';
import { importedPayment, person, waiting } from '../../support/imported-chats.ts';

type Fixture = ReturnType<ReturnType<typeof deploys>['deploy']>;

const input = { to: 'Alice', amount: 30 };
const done = [{ text: 'Done.' }];
const remember = { scope: 'me', match: 'tool' } as const;
const approved = { toolApproval: { pay: 'approved' } } as never;
const denied = { toolApproval: { pay: { type: 'denied', reason: 'Closed.' } } } as never;

/** A chat with two open approvals of one step. */
const twoPayments = (['first', 'second'] as const).map((id, index) => waiting(id, 'pay', index + 1));
const importedPayments: readonly UIMessage[] = [
  person,
  { id: 'a1', role: 'assistant', parts: twoPayments.flatMap(({ parts }) => parts.slice(-1)) },
];

async function bring({ flow }: Fixture, messages: readonly UIMessage[] = importedPayment): Promise<string> {
  const { open } = await flow.imports.chat({ principal: ada, chatId: 'chat', messages });
  return open ?? expect.fail('Nothing is asked.');
}

/** Lets Ada approve a payment in another chat, and remember that. */
async function rememberPayments({ chat }: Fixture): Promise<void> {
  const { say, answer } = chat('earlier');
  await answer(questionIn(await say('Pay.')), true, { plugins: { remembered: remember } });
}

const states = async ({ chat }: Fixture) => (await chat().view()).questions.map(({ state }) => state);

describe('an imported open approval is asked of a person, whatever follows [ADR 0036]', () => {
  it('asks the second of two, although an earlier approval is remembered', async () => {
    const { deploy, ran } = deploys();
    const fixture = deploy('a', [[{ call: 'pay', input }], done, done]);
    await rememberPayments(fixture);
    const open = await bring(fixture, importedPayments);
    const second = questionIn(await fixture.chat().answer(open, true));
    expect(ran.slice(1)).toMatchObject([{ input: { amount: 1 } }]);
    await fixture.chat().answer(second, true);
    expect(ran.slice(1)).toMatchObject([{ input: { amount: 1 } }, { input: { amount: 2 } }]);
  });

  it.each<[string, Deploy]>([
    ['has no gate', { needsApproval: false }],
    ['approves by a rule', approved],
  ])('asks in the background after a deployment that changes the tool and %s', async (_what, gate) => {
    const { deploy, ran, clock } = deploys();
    const timed = { leaseMs: 10_000, sweepMs: 3_000 };
    const old = deploy('old', [done], { description: 'Old.', ...gate, ...timed });
    await bring(old);
    await old.flow.close();
    const next = deploy('new', [done], { description: 'New.', ...gate, ...timed });
    await next.flow.recover();
    clock.advance(timed.leaseMs);
    await next.flow.recover();
    await expect.poll(() => states(next)).toEqual(['tool-changed', 'open']);
    expect(ran).toEqual([]);
    await next.chat().answer(String((await next.chat().view()).open), true);
    expect(ran).toEqual([{ deploy: 'new', input }]);
  });

  it('asks again, although a remembered approval covers the changed tool', async () => {
    const { deploy, ran } = deploys();
    const open = await bring(deploy('old', [], { description: 'Old.' }));
    const next = deploy('new', [[{ call: 'pay', input }], done, done], { description: 'New.' });
    await rememberPayments(next);
    const again = questionIn(await next.chat().answer(open, true));
    expect(ran).toHaveLength(1);
    await next.chat().answer(again, true);
    expect(ran).toHaveLength(2);
  });

  it('asks again if its arguments are parsed differently', async () => {
    const { deploy, ran } = deploys();
    let version = 1;
    const schema = z.looseObject({}).transform((value) => ({ ...value, version }));
    const fixture = deploy('a', [done], { schema, needsApproval: false });
    const open = await bring(fixture);
    version = 2;
    const again = questionIn(await fixture.chat().answer(open, true));
    expect(ran).toEqual([]);
    await fixture.chat().answer(again, true);
    expect(ran).toEqual([{ deploy: 'a', input: { ...input, version: 2 } }]);
  });

  it.each<[string, Deploy]>([
    ['has no gate', { needsApproval: false }],
    ['approves by a rule', approved],
    ['asks, and an approval is remembered', {}],
  ])('asks again after its approval has lapsed in a flow that %s', async (_what, gate) => {
    const { deploy, ran, clock } = deploys();
    const lapsing = { ...gate, approvalValidForMs: 60_000 };
    const remembering = deploy('remembering', [[{ call: 'pay', input }], done]);
    await rememberPayments(remembering);
    await remembering.flow.close();
    const before = deploy('before', [], lapsing);
    await bring(before);
    await approveThenCrash(before.store, before.chat().id, clock);
    await before.flow.close();
    clock.advance(60_001);
    const after = deploy('after', [done], lapsing);
    await after.flow.recover();
    await expect.poll(() => states(after)).toEqual(['approved', 'open']);
    expect(ran).toHaveLength(1);
    await after.chat().answer(String((await after.chat().view()).open), true);
    expect(ran).toEqual([
      { deploy: 'remembering', input },
      { deploy: 'after', input },
    ]);
  });

  it('ends without a question if the gate of the new deployment denies it', async () => {
    const { deploy, ran } = deploys();
    const open = await bring(deploy('old', [], { description: 'Old.' }));
    const next = deploy('new', [done], { description: 'New.', ...(denied as Deploy) });
    await next.chat().answer(open, true);
    expect(await states(next)).toEqual(['tool-changed']);
    expect(JSON.stringify(next.model.calls[0]?.prompt)).toContain('Closed.');
    expect(ran).toEqual([]);
  });

  it('does not ask about later calls of the chat that a remembered approval covers', async () => {
    const { deploy, ran } = deploys();
    const fixture = deploy('a', [[{ call: 'pay', input }], done]);
    await fixture.chat().answer(await bring(fixture), true, { plugins: { remembered: remember } });
    await expect.poll(() => ran).toHaveLength(2);
  });
});
