import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { barrier } from '../../support/barrier.ts';
import { flowFixture, questionIn, userMessage } from '../../support/flow-fixture.ts';
import { missedStopsStore } from '../../support/missed-stops-store.ts';

const pay = { call: 'pay', input: { to: 'Bo', amount: 5 } };
const weather = { call: 'weather', input: { city: 'Rome' } };

/** Two instances on one store. The first one owns the run and does not hear of stops. */
function twoInstances(steps: ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const store = sqliteStore({ path: ':memory:' });
  const clock = fakeClock();
  const owner = flowFixture(steps, { store: missedStopsStore(store), clock, ...settings });
  const other = flowFixture([], { store, clock });
  return { store, clock, owner, other };
}

async function typesOf(chat: ReturnType<ReturnType<typeof flowFixture>['chat']>): Promise<string[]> {
  return (await chat.events()).map(({ type }) => type);
}

describe('after a stop is acknowledged, its run starts nothing and asks nothing [H5]', () => {
  const steps: [string, ScriptedStep, string][] = [
    ['a question', [{ text: 'I will pay.' }, pay], 'approval-requested'],
    ['a call without a gate', [{ text: 'I will look.' }, weather], 'tool-started'],
    ['a call of the page', [{ text: 'I will ask your page.' }, { call: 'theme' }], 'run-suspended'],
  ];

  it.each(steps)('does not make %s that the model was about to make', async (_name, step, refused) => {
    const { wait, lift } = barrier();
    const { owner, other, store } = twoInstances([[...step, { wait }], [{ text: 'Hello.' }]]);
    const chat = owner.chat();
    const response = chat.say('Go.');
    await expect.poll(() => owner.model.calls.length).toBe(1);
    await other.chat().stop();
    lift();
    expect((await response).at(-1)).toEqual({ type: 'abort', reason: 'stopped' });

    const log = await typesOf(chat);
    expect(log).not.toContain(refused);
    expect(log.at(-1)).toBe('run-cancelled');
    expect(owner.ran).toEqual([]);
    expect((await store.questions.list({ state: 'open', limit: 10 })).items).toEqual([]);
    expect((await store.chats.head(chat.id))?.status).toBe('idle');
    // What the model said, and that its call did not run, is kept.
    const { messages } = await chat.view();
    expect(JSON.stringify(messages.at(-1)?.parts)).toContain('I will');
    expect(log).toContain('tool-requested');
    await chat.say('And now?');
    expect(JSON.stringify(owner.model.calls.at(-1)?.prompt)).toContain('the user stopped the turn');
  });

  it('keeps the outcome that was about to be written with the next start', async () => {
    const { wait, lift } = barrier();
    const slow = tool({ inputSchema: z.object({}), execute: () => wait.then(() => 'the slow result') });
    const other = tool({ inputSchema: z.object({}), execute: async () => 'never' });
    const cluster = twoInstances([[{ call: 'slow' }, { call: 'other' }], [{ text: 'Done.' }]], {
      tools: { slow, other } as ToolSet,
    });
    const chat = cluster.owner.chat();
    const response = chat.say('Go.', { options: { oneAtATime: true } });
    await expect.poll(() => typesOf(chat).catch(() => [])).toContain('tool-started');
    await cluster.other.chat().stop();
    lift();
    await response;
    const log = await chat.events();
    expect(log.filter(({ type }) => type === 'tool-started')).toHaveLength(1);
    expect(log.find(({ type }) => type === 'tool-completed')).toMatchObject({ output: 'the slow result' });
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(log.at(-1)?.type).toBe('run-cancelled');
  });

  it('seals what it keeps as one unbroken record', async () => {
    const { wait, lift } = barrier();
    const key = 'a key of sixteen characters or more';
    const decided = { weather: 'approved', pay: 'user-approval' } as never;
    const { owner, other } = twoInstances([[weather, pay, { wait }]], {
      auditKey: key,
      toolApproval: decided,
    });
    const chat = owner.chat();
    const response = chat.say('Go.');
    await expect.poll(() => owner.model.calls.length).toBe(1);
    await other.chat().stop();
    lift();
    await response;
    const { entries, head } = await owner.flow.audit.read({
      chatId: chat.id,
      principal: { id: 'ada', name: 'Ada' },
    });
    expect(entries.map(({ type }) => type)).toEqual(['decided', 'ended', 'ended']);
    const { verifyAudit } = await import('../../../lib/views/audit/verify-audit.ts');
    expect(verifyAudit(entries, { key, head })).toBeUndefined();
  });

  it('stops a run at its question if it asked before the request arrived', async () => {
    const { store, owner, clock } = twoInstances([[pay]]);
    const chat = owner.chat();
    let asked: Promise<unknown> = Promise.resolve();
    const late = flowFixture([], {
      clock,
      store: {
        ...store,
        // Between the look at the chat and the request, the run comes to its question.
        runs: {
          ...store.runs,
          requestStop: async (chatId, runId) => {
            await asked;
            await store.runs.requestStop(chatId, runId);
          },
        },
      },
    });
    const { wait, lift } = barrier();
    const model = flowFixture([[pay, { wait }]], { clock, store: missedStopsStore(store) });
    asked = model.chat().say('Go.').then(questionIn);
    await expect.poll(() => model.model.calls.length).toBe(1);
    const stop = late.chat().stop();
    lift();
    await stop;
    expect((await store.chats.head(chat.id))?.open).toBeNull();
    expect(await typesOf(chat)).toEqual(expect.arrayContaining(['approval-withdrawn', 'run-cancelled']));
  });

  it('starts nothing after a takeover either, even if the new owner read the requests too early', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const clock = fakeClock();
    const steps: ScriptedStep[] = [[weather], [{ text: 'Done.' }]];
    const dying = dyingStore(store, { when: 'after', append: 2 });
    const owner = flowFixture(steps, { store: dying.store, clock });
    void owner.chat().say('Go.');
    await dying.died;
    expect(await typesOf(flowFixture([], { store, clock }).chat())).toContain('tool-requested');
    await flowFixture([], { store, clock }).chat().stop();
    clock.advance(10_000);
    const taker = flowFixture(steps, { store: missedStopsStore(store), clock });
    await taker.flow.recover();
    await expect.poll(async () => (await store.chats.head(taker.chat().id))?.status).toBe('idle');
    expect([...owner.ran, ...taker.ran]).toEqual([]);
    expect((await typesOf(taker.chat())).at(-1)).toBe('run-cancelled');
  });

  it('asks the store before it ends a run of its own instance', async () => {
    const inner = sqliteStore({ path: ':memory:' });
    const order: string[] = [];
    const store = {
      ...inner,
      runs: {
        ...inner.runs,
        requestStop: async (...given: Parameters<typeof inner.runs.requestStop>) => {
          await inner.runs.requestStop(...given);
          order.push('acknowledged');
        },
      },
    };
    const { wait } = barrier();
    const slow = tool({
      inputSchema: z.object({}),
      execute: (_input, { abortSignal }) => {
        order.push('runs');
        abortSignal?.addEventListener('abort', () => order.push('aborted'));
        return Promise.race([
          wait,
          new Promise((resolve) => abortSignal?.addEventListener('abort', resolve)),
        ]);
      },
    });
    const { ask, stop } = flowFixture([[{ call: 'slow' }]], { store, tools: { slow } as ToolSet });
    await ask({ message: userMessage('first', 'Go.') });
    await expect.poll(() => order).toEqual(['runs']);
    await stop();
    expect(order).toEqual(['runs', 'acknowledged', 'aborted']);
  });

  it('aborts a run of its own instance if the store is unavailable, but acknowledges nothing', async () => {
    const inner = sqliteStore({ path: ':memory:' });
    const requestStop = () => Promise.reject(new Error('The disk is gone.'));
    const store = { ...inner, runs: { ...inner.runs, requestStop } };
    const { wait } = barrier();
    const { model, read, ask, stop } = flowFixture([[{ text: 'Hel' }, { wait }]], { store });
    const response = await ask({ message: userMessage('first', 'Go.') });
    await expect.poll(() => model.calls.length).toBe(1);
    await expect(stop()).rejects.toThrow('The disk is gone.');
    expect((await read(response)).at(-1)).toEqual({ type: 'abort', reason: 'stopped' });
  });
});

describe('the heartbeat of a run', () => {
  const leaseMs = 3_000;

  /** A run whose model is working, on an instance that gets no notifications of stops. */
  async function running(store: FlowStore) {
    const clock = fakeClock();
    const deaf: FlowStore = { ...store, subscribe: missedStopsStore(store).subscribe };
    const { wait, lift } = barrier();
    onTestFinished(lift);
    const owner = flowFixture([[{ text: 'I will look.' }, { wait }]], { store: deaf, clock, leaseMs });
    const response = owner.chat().say('Go.');
    await expect.poll(() => owner.model.calls.length).toBe(1);
    return { clock, owner, response };
  }

  it('finds a stop whose notification was lost', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const { clock, response } = await running(store);
    await flowFixture([], { store, clock }).chat().stop();
    await clock.timer(leaseMs / 3);
    clock.advance(leaseMs / 3);
    expect((await response).at(-1)).toEqual({ type: 'abort', reason: 'stopped' });
  });

  it('ends the work of a run that another instance owns', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const { clock, owner } = await running({
      ...store,
      runs: { ...store.runs, claimLease: async () => false },
    });
    expect(owner.model.calls[0]?.abortSignal?.aborted).toBe(false);
    clock.advance(leaseMs / 3);
    await expect.poll(() => owner.model.calls[0]?.abortSignal?.aborted).toBe(true);
  });
});
