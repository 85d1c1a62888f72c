import { tool } from 'ai';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { rehearsalSchema } from '../../../lib/plugins/rehearsal/endpoints.ts';
import type { Principal } from '../../../lib/protocol/index.ts';
import { serveFlow } from '../../../lib/testing/server/serve-flow.ts';
import { ada, questionIn } from '../../support/flow-fixture.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';
import {
  done,
  lenient,
  pay,
  payingFlow,
  playPayments,
  policy,
  strict,
} from '../../support/rehearsal/fixture.ts';
import { researchTool } from '../../support/subagent-fixture.ts';

const all = { since: 0 };

describe('a rehearsal of past calls [ADR 0046]', () => {
  const sizes = rowsOfThisRun([25, 500], (chats) => chats === 25);
  it.each(sizes)(
    'counts the same decisions as a real run of the same calls: %d chats of 20 calls',
    async (chats) => {
      const [before, after] = [await playPayments(chats, lenient), await playPayments(chats, strict)];
      const rehearsal = await before.flow.rehearsal.run({ ...all, policy: strict });
      expect(rehearsal).toMatchObject({ chats, calls: chats * 20 });
      expect(rehearsal.recorded).toEqual(before.counts);
      expect(rehearsal.rehearsed).toEqual(after.counts);
      const changed = before.decisions.filter((decision, index) => decision !== after.decisions[index]);
      expect(rehearsal.changes.reduce((sum, { calls }) => sum + calls, 0)).toBe(changed.length);
    },
    180_000,
  );

  it('leaves out calls that the gate does not decide about, or counts them with the reason', async () => {
    const { tools } = researchTool([[{ call: 'look', input: {} }], [{ text: 'Found.' }]]);
    const settings = { toolApproval: undefined, tools: { ...tools, ...payingFlow([]).tools } };
    const { chat, flow, store } = payingFlow(
      [[pay(10), { call: 'pay', rawInput: '{"amount":' }, { call: 'research', input: { task: 'x' } }], done],
      settings,
    );
    await chat().say('Go.');
    const later = payingFlow([], {
      store,
      tools: { pay: tool({ inputSchema: z.object({ sum: z.number() }) }) },
    });
    const nothing = { 'tool-removed': 0, 'arguments-unfit': 0, subagent: 0, 'agent-request': 0 };
    expect(await flow.rehearsal.run({ ...all, policy: {} })).toMatchObject({
      calls: 2,
      notRehearsed: { ...nothing, subagent: 1 },
    });
    expect(await later.flow.rehearsal.run({ ...all, policy: {} })).toMatchObject({
      calls: 0,
      notRehearsed: { 'tool-removed': 1, 'arguments-unfit': 1, subagent: 1, 'agent-request': 0 },
    });
  });

  it('counts the answer to the later question if a question was asked again', async () => {
    const old = payingFlow([[pay(600)]]);
    const id = questionIn(await old.chat().say('Pay.'));
    const next = payingFlow([done], { store: old.store, toolDetails: { pay: { version: '2' } } });
    const { answer } = next.chat();
    await answer(questionIn(await answer(id, true)), false);
    const { calls, changes } = await next.flow.rehearsal.run({ ...all, policy: {} });
    expect(calls).toBe(1);
    expect(changes).toMatchObject([{ from: 'asked', to: 'allowed', answers: { denied: 1, none: 0 } }]);
  });

  it('counts requests of agents outside the flow, and does not rehearse them', async () => {
    const { flow } = payingFlow([]);
    await flow.agentRequests.create({ principal: ada, key: 'one', title: 'Delete the backups.' });
    const { calls, notRehearsed } = await flow.rehearsal.run({
      ...all,
      policy: {},
      until: Date.now() + 60_000,
    });
    expect({ calls, requests: notRehearsed['agent-request'] }).toEqual({ calls: 0, requests: 1 });
  });

  it('calls no callback of a tool', async () => {
    const heard: unknown[] = [];
    const hear = (options: unknown) => void heard.push(options);
    const { pay: plain } = payingFlow([]).tools;
    const { chat, flow } = payingFlow([[pay(600)]], {
      tools: { pay: { ...plain, onInputStart: hear, onInputAvailable: hear } as never },
    });
    await chat().say('Pay.');
    const before = heard.length;
    await flow.rehearsal.run({ ...all, policy: strict });
    expect([before > 0, heard.length]).toEqual([true, before]);
  });

  it('counts only calls in the period', async () => {
    const clock = fakeClock();
    const { flow, say } = payingFlow([[pay(10)], done, [pay(20)], done, [pay(30)], done], { clock });
    const start = clock.now();
    for (let day = 0; day < 3; day += 1) {
      await say('Pay.');
      clock.advance(1_000);
    }
    const amountsOf = async (period: { since: number; until?: number }) => {
      const amounts: unknown[] = [];
      const toolApproval = policy((amount) => void amounts.push(amount) as undefined);
      const { since, until } = await flow.rehearsal.run({ ...period, policy: toolApproval });
      return { amounts, since: since - start, until: until - start };
    };
    expect(await amountsOf({ since: start + 1_000, until: start + 2_000 })).toEqual({
      ...{ amounts: [20], since: 1_000, until: 2_000 },
    });
    expect(await amountsOf({ since: start + 2_000 })).toEqual({ amounts: [30], since: 2_000, until: 3_000 });
    expect((await amountsOf({ since: start + 3_000 })).amounts).toEqual([]);
  });

  it.each([
    ['a gate with an unknown status', { since: 0, policy: { pay: 'perhaps' } }, 'invalid-settings'],
    ['a tool that the flow lacks', { since: 0, policy: { pray: 'denied' } }, 'invalid-settings'],
    ['a time that is not a number', { since: Number.NaN, policy: {} }, 'invalid-request'],
    ['an end before the start', { since: 2, until: 1, policy: {} }, 'invalid-request'],
    ['a negative number of examples', { since: 0, policy: {}, examples: -1 }, 'invalid-request'],
  ])('refuses %s', async (_, request, code) => {
    const { flow } = payingFlow([]);
    await expect(flow.rehearsal.run(request as never)).rejects.toMatchObject({ code });
  });
});

describe('GET /api/operations/rehearsal [ADR 0046]', () => {
  const olga = { id: 'olga', name: 'Olga', role: 'operator' };

  async function serve(principal: Principal = olga) {
    const mayOperate = ({ role }: Principal) => role === 'operator';
    const policies = { strict, 'nothing asked': {} };
    const { flow, chat } = payingFlow([[pay(600), pay(20)]], { mayOperate }, policies);
    await chat().say('Pay.');
    const { url, close } = await serveFlow(flow, { authorize: () => principal });
    onTestFinished(close);
    return (query: Record<string, string>, path = 'rehearsal') =>
      fetch(`${url}/api/operations/${path}?${new URLSearchParams(query)}`);
  }
  const since = '2020-01-01T00:00:00Z';

  it('reports on a named policy, with times as ISO 8601', async () => {
    const read = await serve();
    const body: unknown = await (await read({ policy: 'nothing asked', since })).json();
    expect(rehearsalSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      ...{ since: '2020-01-01T00:00:00.000Z', calls: 2 },
      changes: [
        { from: 'asked', to: 'allowed', examples: [{ input: { amount: 600 }, at: expect.any(String) }] },
      ],
    });
    const early = await read({ policy: 'strict', since, until: '2020-01-02T00:00:00Z' });
    expect(await early.json()).toMatchObject({ until: '2020-01-02T00:00:00.000Z', calls: 0, changes: [] });
  });

  it('lists the names of policies', async () => {
    const read = await serve();
    expect(await (await read({}, 'policies')).json()).toEqual({ policies: ['strict', 'nothing asked'] });
  });

  it.each([
    ['an unknown policy', { policy: 'toString', since }],
    ['no policy', { since }],
    ['no time', { policy: 'strict' }],
    ['a time in another format', { policy: 'strict', since: '30d' }],
    ['an end before the start', { policy: 'strict', since, until: '2019-01-01T00:00:00Z' }],
  ])('refuses %s', async (_, query) => {
    const response = await (await serve())(query as Record<string, string>);
    expect(response.status).toBe(400);
  });

  it('returns 404 to people who may not operate the flow', async () => {
    expect((await (await serve(ada))({ policy: 'strict', since })).status).toBe(404);
    expect((await (await serve(ada))({}, 'policies')).status).toBe(404);
  });

  it('refuses policies that a flow would not accept when the flow is created', () => {
    expect(() => payingFlow([], {}, { strict: { pay: 'perhaps' } } as never)).toThrow(
      expect.objectContaining({
        code: 'invalid-settings',
        fields: expect.objectContaining({ path: 'policies.strict.pay' }),
      }),
    );
  });
});
