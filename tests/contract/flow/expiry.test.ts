import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';
import { serveFixture } from '../../support/serve-fixture.ts';

const deadlineMs = 60_000;
const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
const script: ScriptedStep[] = [[{ text: 'Let me pay.' }, pay], [{ text: 'Not paid, then.' }]];
const told = { type: 'execution-denied', reason: 'expired: nobody answered in time.' };
const json = { 'content-type': 'application/json' };

/** A chat with an open question that has a deadline, on a clock that stands still. */
async function asked(settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const fixture = flowFixture(script, { clock, deadlineMs, ...settings });
  onTestFinished(() => fixture.flow.close());
  const chat = fixture.chat();
  const response = await chat.say('Pay Alice 30.');
  return { ...fixture, ...chat, clock, response, approvalId: parseApprovalId(questionIn(response)) };
}

type World = Awaited<ReturnType<typeof asked>>;

/** Another instance on the same store and clock, with a model of its own. */
function another({ store, clock }: Pick<World, 'store' | 'clock'>) {
  const fixture = flowFixture([[{ text: 'Not paid, then.' }]], { store, clock, deadlineMs });
  onTestFinished(() => fixture.flow.close());
  return fixture;
}

async function withdrawals({ events }: Pick<World, 'events'>) {
  return (await events()).flatMap((event) => (event.type === 'approval-withdrawn' ? [event.reason] : []));
}

/** Waits for the run's end, and checks that the turn came to one without the call. */
async function expectToGoOn(world: World): Promise<void> {
  const replay = (await world.resume()) ?? [];
  expect(types(replay).at(-1)).toBe('finish');
  expect(replay).toContainEqual(expect.objectContaining({ type: 'text-delta', delta: 'Not paid, then.' }));
  expect(await withdrawals(world)).toEqual(['expired']);
  expect(world.ran).toEqual([]);
  expect((await world.view()).run).toEqual({ status: 'idle' });
}

describe('a deadline [H12]', () => {
  it('is in the descriptor, the list and the question [H12]', async () => {
    const { clock, response, flow, approvalId } = await asked();
    const deadline = clock.now() + deadlineMs;
    expect(response).toContainEqual(
      expect.objectContaining({
        type: 'tool-approval-request',
        approvalDescriptor: expect.objectContaining({ deadline: new Date(deadline).toISOString() }),
      }),
    );
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({
      state: 'open',
      deadline,
    });
    const { items } = await flow.approvals.list({ principal: ada, state: 'open' });
    expect(items).toMatchObject([{ id: approvalId, deadline }]);
  });

  it.each<[string, Partial<FlowSettings>, number | undefined]>([
    ['the flow has one', {}, deadlineMs],
    ['the tool has one', { deadlineMs: undefined, toolDetails: { pay: { deadlineMs: 5_000 } } }, 5_000],
    ['both have one: the tool decides', { toolDetails: { pay: { deadlineMs: 5_000 } } }, 5_000],
    [
      'another tool has one',
      { deadlineMs: undefined, toolDetails: { search: { deadlineMs: 5_000 } } },
      undefined,
    ],
    ['neither has one', { deadlineMs: undefined }, undefined],
  ])('is set when %s [H12]', async (_name, settings, ms) => {
    const { flow, approvalId, clock } = await asked(settings);
    const { deadline } = await flow.approvals.read({ principal: ada, approvalId });
    expect(deadline).toBe(ms === undefined ? undefined : clock.now() + ms);
  });

  it('never comes if it is not set [H12]', async () => {
    const { flow, approvalId, clock } = await asked({ deadlineMs: undefined });
    clock.advance(10 * 365 * 86_400_000);
    await flow.recover();
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({ state: 'open' });
  });

  it.each([
    [-1, 'approved'],
    [0, 'expired'],
    [1, 'expired'],
  ] as const)('%i ms from the deadline, an answer finds the question %s [H12]', async (ms, state) => {
    const { flow, approvalId, clock, ran, resume } = await asked();
    clock.advance(deadlineMs + ms);
    const answering = flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'http' });
    if (state === 'expired') await expect(answering).rejects.toMatchObject({ code: 'expired' });
    else await answering;
    await resume();
    expect(ran).toHaveLength(state === 'expired' ? 0 : 1);
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({ state });
  });
});

describe('after the deadline [H12]', () => {
  const reads: [string, (world: World) => Promise<unknown>][] = [
    ['the chat', async ({ view }) => expect(await view()).not.toHaveProperty('open')],
    [
      'the list of questions',
      async ({ flow }) =>
        expect(await flow.approvals.list({ principal: ada, state: 'open' })).toMatchObject({ items: [] }),
    ],
    [
      'the question',
      async ({ flow, approvalId }) =>
        expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({ state: 'expired' }),
    ],
    [
      'the replay of a response',
      async ({ resume }) =>
        expect(await resume()).toContainEqual(
          expect.objectContaining({ type: 'tool-approval-response', approved: false, reason: 'expired' }),
        ),
    ],
    [
      'a late answer in the chat, which gets the standing one',
      async ({ answer, approvalId }) =>
        expect(await answer(approvalId, true)).toContainEqual(
          expect.objectContaining({ type: 'tool-approval-response', approved: false, reason: 'expired' }),
        ),
    ],
    [
      'a late answer from the inbox, which is refused',
      async ({ flow, approvalId }) =>
        expect(
          flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'http' }),
        ).rejects.toMatchObject({ code: 'expired', fields: { approvalId } }),
    ],
    [
      'the feed',
      async ({ flow, approvalId }) => {
        const { changes } = await flow.approvals.feed({ principal: ada, after: '0' });
        const reader = changes.getReader();
        expect((await reader.read()).value?.question).toMatchObject({ id: approvalId, state: 'expired' });
        await reader.cancel();
      },
    ],
  ];

  it.each(reads)(
    '%s shows that the question has expired, and the run continues [H12]',
    async (_name, read) => {
      // No sweep is due: what expires here does so because somebody looked.
      const world = await asked({ sweepMs: deadlineMs * 100 });
      world.clock.advance(deadlineMs);
      await read(world);
      await expectToGoOn(world);
      expect(JSON.stringify(world.model.calls[1]?.prompt)).toContain(JSON.stringify(told));
    },
  );

  it.each(reads)('%s shows it on an instance that did not ask [H12]', async (_name, read) => {
    const world = await asked({ sweepMs: deadlineMs * 100 });
    const other = another(world);
    world.clock.advance(deadlineMs);
    const there = { ...world, ...other, ...other.chat() };
    await read(there);
    await expectToGoOn(there);
    expect(JSON.stringify(other.model.calls[0]?.prompt)).toContain(JSON.stringify(told));
    expect(world.model.calls).toHaveLength(1);
  });

  it('the sweep of any instance lets the run continue, even if no one reads the question [H12]', async () => {
    const world = await asked({ sweepMs: deadlineMs * 100 });
    const { clock, flow, approvalId } = world;
    const other = another(world);
    const { changes } = await flow.approvals.feed({ principal: ada });
    const reader = changes.getReader();
    clock.advance(deadlineMs + 3_000);
    expect((await reader.read()).value?.question).toMatchObject({ id: approvalId, state: 'expired' });
    await reader.cancel();
    await expectToGoOn(world);
    expect(other.model.calls).toHaveLength(1);
  });

  it('many instances withdraw the question only once, and one continues the run [H12]', async () => {
    const world = await asked({ sweepMs: deadlineMs * 100 });
    const others = Array.from({ length: 5 }, () => another(world));
    world.clock.advance(deadlineMs);
    await Promise.all(others.flatMap(({ flow, chat }) => [flow.recover(), chat().view(), flow.recover()]));
    await expectToGoOn(world);
    const calls = others.reduce((sum, { model }) => sum + model.calls.length, 0);
    expect(calls).toBe(1);
  });

  it('an answer just before the deadline counts, whatever sweeps follow [H12]', async () => {
    const world = await asked({ sweepMs: deadlineMs * 100 });
    const { clock, flow, approvalId, answer, ran } = world;
    clock.advance(deadlineMs - 1);
    await answer(approvalId, true);
    clock.advance(1);
    await Promise.all([flow.recover(), another(world).flow.recover()]);
    expect(ran).toHaveLength(1);
    expect(await withdrawals(world)).toEqual([]);
  });

  it('the next question of the step is asked, with its own deadline [H12]', async () => {
    const clock = fakeClock();
    const { flow, ran, say, resume, answer, view } = flowFixture([[pay, pay], [{ text: 'One paid.' }]], {
      clock,
      deadlineMs,
    });
    onTestFinished(() => flow.close());
    await say('Pay twice.');
    clock.advance(deadlineMs);
    const second = questionIn((await resume())?.slice(-4) ?? []);
    const question = await flow.approvals.read({ principal: ada, approvalId: parseApprovalId(second) });
    expect(question).toMatchObject({
      state: 'open',
      deadline: clock.now() + deadlineMs,
      position: { index: 2, of: 2 },
    });
    await answer(second, true);
    expect(ran).toHaveLength(1);
    expect((await view()).run.status).toBe('idle');
  });

  it('one question that cannot be settled blocks no other, and is logged by its ids [H12]', async () => {
    const real = sqliteStore({ path: ':memory:' });
    const broken: FlowStore = {
      ...real,
      chats: {
        ...real.chats,
        head: async (chatId) => {
          if (chatId === 'broken' && isBroken) throw new Error('disk on fire');
          return real.chats.head(chatId);
        },
      },
    };
    let isBroken = false;
    const clock = fakeClock();
    const logger = { warn: vi.fn(), error: vi.fn() };
    const { flow, chat } = flowFixture([[pay], [pay], [{ text: 'Not paid, then.' }]], {
      store: broken,
      clock,
      deadlineMs,
      logger,
    });
    onTestFinished(() => flow.close());
    const first = questionIn(await chat('broken').say('Pay.'));
    await chat('sound').say('Pay.');
    clock.advance(deadlineMs);
    isBroken = true;
    await flow.recover();
    expect(await withdrawals(chat('sound'))).toEqual(['expired']);
    expect(logger.warn).toHaveBeenCalledWith('A question could not be expired.', {
      chatId: 'broken',
      approvalId: first,
      error: expect.objectContaining({ name: 'Error', message: 'disk on fire' }),
    });
  });
});

describe('a deadline over HTTP', () => {
  it('a late answer gets 409 expired, and the question and the feed show it [H12]', async () => {
    const clock = fakeClock();
    const { chat, url } = await serveFixture(script, { clock, deadlineMs, sweepMs: deadlineMs * 100 });
    const approvalId = questionIn(await chat().say('Pay Alice 30.'));
    clock.advance(deadlineMs);

    const path = `${url}/api/approvals/${approvalId}`;
    const late = await fetch(path, { method: 'POST', headers: json, body: '{"approved":true}' });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { code: 'expired', approvalId } });

    expect(await (await fetch(path)).json()).toMatchObject({
      approval: { state: 'expired', deadline: new Date(clock.now()).toISOString() },
      history: [{ state: 'open' }, { state: 'expired' }],
    });

    const abort = new AbortController();
    const feed = await fetch(`${url}/api/approvals/events`, {
      headers: { 'last-event-id': '0' },
      signal: abort.signal,
    });
    let text = '';
    for await (const chunk of feed.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes('event: settled')) break;
    }
    abort.abort();
    expect(text).toContain('"state":"expired"');
  });

  it('a late answer in the chat gets 200 and everything after the question [H12]', async () => {
    const clock = fakeClock();
    const { chat, api } = await serveFixture(script, { clock, deadlineMs, sweepMs: deadlineMs * 100 });
    const approvalId = questionIn(await chat().say('Pay Alice 30.'));
    clock.advance(deadlineMs);
    const body = JSON.stringify({ id: 'chat', answers: [{ approvalId, approved: true }] });
    const response = await fetch(api, { method: 'POST', headers: json, body });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('"reason":"expired"');
    expect(text).toContain('Not paid, then.');
    expect(text).toContain('data: [DONE]');
  });
});
