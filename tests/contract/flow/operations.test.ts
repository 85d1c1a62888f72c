import { type ToolSet, tool } from 'ai';
import { operations } from 'countersign/plugins/operations';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { type Principal, parseApprovalId } from '../../../lib/protocol/index.ts';
import { serveFlow } from '../../../lib/testing/server/serve-flow.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const olga: Principal = { id: 'olga', name: 'Olga', role: 'operator' };
const mayOperate: FlowSettings['mayOperate'] = ({ role }) => role === 'operator';
const nothing = { runs: [], outcomes: [], chatsSearched: 0, pauses: [] };
const plugins = [operations()] as const;
const at = expect.any(Number);

describe('what needs an operator', () => {
  it.each<[string, FlowSettings['mayOperate'], Principal]>([
    ['nobody by default', undefined, olga],
    ['nobody for whom the rule does not return true', mayOperate, ada],
    ['nobody for whom the rule returns something else', () => 'yes' as never, olga],
  ])('is found by %s', async (_who, rule, principal) => {
    const { flow } = flowFixture([], { ...(rule && { mayOperate: rule }), plugins });
    await expect(flow.operations.read({ principal })).rejects.toMatchObject({ code: 'not-found' });
    const { url, close } = await serveFlow(flow, { authorize: () => principal });
    onTestFinished(close);
    expect((await fetch(`${url}/api/operations`)).status).toBe(404);
  });

  it('has a run whose owner has died, and one that is silent for ten minutes', async () => {
    const clock = fakeClock();
    const store = sqliteStore({ path: ':memory:' });
    onTestFinished(() => store.close());
    const dying = dyingStore(store, { when: 'after', append: 1 });
    const common = { clock, sweepMs: 1e9, mayOperate, leaseMs: 3_600_000 };
    const before = flowFixture([[{ text: 'Hello.' }]], { store: dying.store, ...common });
    void before.chat('lost').say('Hi.');
    await dying.died;
    const { flow } = flowFixture([], { store, ...common, plugins });
    const runs = async () => (await flow.operations.read({ principal: olga })).runs;
    expect(await runs()).toEqual([]);
    clock.advance(600_000);
    const found = { chatId: 'lost', runId: expect.any(String), since: at, maySeeChat: false };
    expect(await runs()).toEqual([{ ...found, state: 'silent' }]);
    clock.advance(3_000_000);
    expect(await runs()).toEqual([{ ...found, state: 'abandoned' }]);
  });

  it('has a run that waits for an instance with a plugin, with the name of the plugin', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const gated = { name: 'gated', gate: () => true, setUp: () => ({ methods: {} }) } as const;
    const pay = [{ call: 'pay', input: { to: 'Alice', amount: 5 } }];
    const having = flowFixture([pay], { store, plugins: [gated] });
    const approvalId = parseApprovalId(questionIn(await having.chat('waits').say('Pay Alice.')));
    await having.flow.close();
    const { flow } = flowFixture([], { store, mayOperate, plugins, sweepMs: 1e9 });
    onTestFinished(() => flow.close());
    await flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'test' });
    const runs = async () => (await flow.operations.read({ principal: olga })).runs;
    await expect.poll(runs).toMatchObject([{ chatId: 'waits', state: 'abandoned', waitsForPlugin: 'gated' }]);
  });

  it('has a call with an unknown outcome until that is recorded, without anything that was said', async () => {
    const pay = tool({
      inputSchema: z.looseObject({}),
      needsApproval: true,
      execute: async (): Promise<string> => {
        throw Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
      },
    });
    const input = { to: 'Zebulon' };
    const { flow, chat } = flowFixture([[{ call: 'pay', id: 'pay-1', input }], [{ text: 'Not sure.' }]], {
      tools: { pay } as ToolSet,
      mayOperate,
      plugins,
    });
    const talk = chat('cut');
    const approvalId = questionIn(await talk.say('Pay.'));
    await talk.answer(approvalId, true);
    const found = await flow.operations.read({ principal: olga });
    expect(found).toEqual({
      ...nothing,
      outcomes: [
        {
          ...{ chatId: 'cut', toolCallId: 'pay-1', approvalId, toolName: 'pay', since: at },
          ...{ maySeeChat: false, mayRecord: false },
        },
      ],
      chatsSearched: 1,
    });
    const ofOwner = await flow.operations.read({ principal: { ...ada, role: 'operator' } });
    expect(ofOwner.outcomes).toMatchObject([{ maySeeChat: true, mayRecord: true }]);
    const [outcome] = found.outcomes;
    if (!outcome) return;
    const { chatId, toolCallId } = outcome;
    await flow.approvals.resolveOutcome({ principal: ada, chatId, toolCallId, outcome: 'completed' });
    expect(await flow.operations.read({ principal: olga })).toEqual({ ...nothing, chatsSearched: 1 });
  });

  it('has what is paused, over HTTP with times as text', async () => {
    const { flow } = flowFixture([], { mayOperate, plugins });
    await flow.tools.pause({ principal: olga, tool: 'pay', reason: 'The bank reports errors.' });
    const { url, close } = await serveFlow(flow, { authorize: () => olga });
    onTestFinished(close);
    const body = await (await fetch(`${url}/api/operations`)).json();
    expect(body).toEqual({
      ...nothing,
      pauses: [
        {
          ...{ tool: 'pay', reason: 'The bank reports errors.', at: expect.stringMatching(/Z$/) },
          by: { id: 'olga', name: 'Olga' },
        },
      ],
    });
  });
});
