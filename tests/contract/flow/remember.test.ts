import type { ToolSet } from 'ai';
import type { FlowSettings } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock, interceptedStore, type Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseGrantId } from '../../../lib/plugins/remembered/endpoints.ts';
import { type AnswerRequest, type Principal, parseChatId } from '../../../lib/protocol/index.ts';
import { barrier } from '../../support/barrier.ts';
import { ada, countingTools, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';

const pay = (amount: number) => ({ call: 'pay', input: { to: 'alice', amount } });
const done = { text: 'Done.' };
const bob: Principal = { id: 'bob', name: 'Bob' };
const always: Pick<AnswerRequest, 'plugins'> = { plugins: { remembered: { scope: 'me', match: 'tool' } } };
const asks = (chunks: Parameters<typeof types>[0]) =>
  chunks.some((chunk) => chunk.type === 'tool-approval-request' && !chunk.isAutomatic);

/** A flow that remembers approvals. */
const fixture = (script: Script, settings: Partial<FlowSettings> = {}) =>
  flowFixture(script, { ...settings, plugins: [remembered()] });

/** A store in which Ada had an approval of `pay` remembered. */
async function remembering(
  settings: Partial<FlowSettings> = {},
  store: FlowStore = sqliteStore({ path: ':memory:' }),
) {
  const { chat, flow } = fixture([[pay(5)], [done]], { ...settings, store });
  const { say, answer } = chat('first');
  await answer(questionIn(await say('Pay.')), true, always);
  const [grant] = (await flow.remembered.list({ principal: ada })).items;
  if (!grant) throw new Error('Nothing was remembered.');
  return { store, grant };
}

/** Whether a flow asks Ada, in a new chat, before it pays. */
async function asksAgain(store: FlowStore, settings: Partial<FlowSettings> = {}, principal = ada) {
  const { chat } = fixture([[pay(5)], [done]], { ...settings, store });
  return asks(await chat('later', principal).say('Pay.'));
}

describe('a remembered approval covers only what was approved', () => {
  const own = countingTools().tools;
  const withPay = (change: object): Partial<FlowSettings> => ({
    tools: { ...own, pay: { ...own.pay, ...change } } as ToolSet,
  });
  const wider = z.object({ to: z.string(), amount: z.number(), urgent: z.boolean().optional() });

  it.each<[string, Partial<FlowSettings>]>([
    ['its description', withPay({ description: 'Pay anybody.' })],
    ['its arguments', withPay({ inputSchema: wider })],
    ['who executes it', withPay({ execute: undefined })],
    ['its risk', { toolDetails: { pay: { risk: 'high' } } }],
    ['what it keeps secret', { toolDetails: { pay: { secrets: { input: ['amount'] } } } }],
    ['that it has a rule of its own', { toolDetails: { pay: { approvers: () => true } } }],
    ['that it is never remembered', { toolDetails: { pay: { remembered: false } } }],
  ])('asks about a tool again when this has changed: %s', async (_what, settings) => {
    const { store } = await remembering();
    expect(await asksAgain(store, settings)).toBe(true);
  });

  it('and covers the tool again when it is as before', async () => {
    const { store } = await remembering();
    const { toolDetails } = { toolDetails: { pay: { title: 'Pay now' } } };
    expect(await asksAgain(store, { toolDetails })).toBe(false);
  });
});

describe('rules are called at each use of a remembered approval', () => {
  it('passes the arguments of this call to the rule', async () => {
    const rule: Partial<FlowSettings> = {
      toolDetails: { pay: { approvers: (_who, { input }) => (input as { amount: number }).amount < 10 } },
    };
    const { store } = await remembering(rule);
    const { chat } = fixture([[pay(5), pay(50)], [done]], { ...rule, store });
    const chunks = await chat('later').say('Pay.');
    expect(chunks.filter(({ type }) => type === 'tool-approval-request')).toMatchObject([
      { approvalDescriptor: { description: 'Run pay.', mayAnswer: false } },
    ]);
  });

  it('uses a role only when its holder sends the message, not when someone else lets the run continue', async () => {
    const manager: Principal = { ...ada, role: 'manager' };
    const settings: Partial<FlowSettings> = {
      mayChange: () => true,
      toolDetails: { pay: { approvers: ({ id, role }) => id === 'bob' || role === 'manager' } },
    };
    const store = sqliteStore({ path: ':memory:' });
    const first = fixture([[pay(1)], [done]], { ...settings, store }).chat('first', manager);
    await first.answer(questionIn(await first.say('Pay.')), true, always);
    const steps = [[{ call: 'search', input: { query: 'x' } }, pay(1)], [done], [pay(1)], [done]];
    const { chat } = fixture(steps, { ...settings, store });
    const shared = await chat('shared', manager).say('Find and pay.');
    const goesOn = await chat('shared', { ...ada }).answer(questionIn(shared), true);
    expect(asks(goesOn)).toBe(true);
    await chat('shared', bob).answer(questionIn(goesOn), true);
    expect(asks(await chat('shared', manager).say('Pay.'))).toBe(false);
  });

  it('covers only the calls of the person who gave it in a shared chat', async () => {
    const shared: Partial<FlowSettings> = { mayChange: () => true, mayAnswer: () => true };
    const { store } = await remembering(shared);
    expect(await asksAgain(store, shared, bob)).toBe(true);
    const { chat } = fixture([[pay(1)], [done]], { ...shared, store });
    expect(asks(await chat('later-still').say('Pay.'))).toBe(false);
  });
});

describe('revoking a remembered approval', () => {
  it('does not affect an earlier use', async () => {
    const { store, grant } = await remembering();
    const { reached, lift, held } = stoppingPlace();
    const slow = interceptedStore(store, async ({ events }) => {
      if (events.some(({ type }) => type === 'tool-started')) await held();
    });
    const { chat, flow, ran } = fixture([[pay(5)], [done]], { store: slow });
    const saying = chat('later').say('Pay.');
    await reached;
    await flow.remembered.forget({ principal: ada, grantId: grant.id });
    lift();
    expect(asks(await saying)).toBe(false);
    expect(ran).toHaveLength(1);
  });

  it('is refused to others, and for approvals that never existed', async () => {
    const { store, grant } = await remembering();
    const { flow } = fixture([], { store });
    const notFound = { code: 'not-found' };
    await expect(flow.remembered.forget({ principal: bob, grantId: grant.id })).rejects.toMatchObject(
      notFound,
    );
    const unknown = parseGrantId('grant_unknown');
    await expect(flow.remembered.forget({ principal: ada, grantId: unknown })).rejects.toMatchObject(
      notFound,
    );
    expect((await flow.remembered.list({ principal: ada })).items).toHaveLength(1);
  });
});

describe('the record of remembered approvals', () => {
  it('contains no secret, neither in the list nor in a key that could be guessed', async () => {
    const toolDetails = { pay: { secrets: { input: ['amount'] } } };
    const { flow, say, answer, events } = fixture([[pay(4711)], [done], [pay(4712)]], { toolDetails });
    const exact = { plugins: { remembered: { scope: 'me', match: 'exact-arguments' } } } as const;
    await answer(questionIn(await say('Pay.')), true, exact);
    const { items } = await flow.remembered.list({ principal: ada });
    expect(items).toMatchObject([{ input: { to: 'alice', amount: '[redacted]' } }]);
    expect(items[0]).not.toHaveProperty('approval');
    const answered = (await events()).find(({ type }) => type === 'approval-answered');
    expect(answered).toMatchObject({ plugins: { remembered: { scope: 'me', match: 'exact-arguments' } } });
    expect(asks(await say('Pay.'))).toBe(true);
  });
});

describe('a restart with a remembered approval', () => {
  it('continues a call whose remembered approval is in the log', async () => {
    const { store } = await remembering();
    const clock = fakeClock();
    const { store: dying, died } = dyingStore(store, { when: 'before', event: 'tool-started' });
    const settings = { clock, leaseMs: 9_000 };
    void fixture([[pay(5)], [done]], { ...settings, store: dying })
      .chat('later')
      .say('Pay.');
    await died;
    expect((await store.events.read(parseChatId('later'), 0)).at(-1)?.type).toBe('approval-granted');
    const next = fixture([[done]], { ...settings, store });
    clock.advance(9_000);
    await next.flow.recover();
    expect(types((await next.chat('later').resume()) ?? [])).toContain('tool-output-available');
    expect(next.ran).toHaveLength(1);
    expect((await next.flow.remembered.list({ principal: ada })).items).toMatchObject([{ uses: 1 }]);
  });
});

/** Something that stops at a place until it is let go on. */
function stoppingPlace() {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { wait, lift } = barrier();
  return {
    reached,
    lift,
    held: async () => {
      reach();
      await wait;
    },
  };
}
