import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import {
  collect,
  dyingStore,
  fakeClock,
  type KillPoint,
  type Script,
  type ScriptedStep,
} from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Append, FlowStore } from '../../lib/log/store/index.ts';
import { type EventBody, parseApprovalId, parseChatId, parseToolCallId } from '../../lib/protocol/index.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { batch, chat as someChat } from '../contract/store-batches.ts';
import { adr } from '../support/adr.ts';
import { barrier } from '../support/barrier.ts';
import { connectSse } from '../support/connect-sse.ts';
import { ada, flowFixture, questionIn, types, userMessage } from '../support/flow-fixture.ts';
import { missedStopsStore } from '../support/missed-stops-store.ts';
import { passTime } from '../support/pass-time.ts';
import { skewedInstances } from '../support/skewed-instances.ts';
import { untilIdle } from '../support/until-idle.ts';
import { executeBeforeAppend } from './rejected/execute-before-append.ts';

const { clause } = adr('0013-leases-and-takeover.md');

const leaseMs = 10_000;
const hello: ScriptedStep[] = [[{ text: 'Hello.' }]];

/** The same model in every instance: its next step follows from its prompt. */
const playing = (steps: ScriptedStep[]) => (options: LanguageModelV4CallOptions) =>
  steps[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];

/** Any number of instances on one store, with one clock. */
function cluster(steps: ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const store = sqliteStore({ path: ':memory:' });
  const clock = fakeClock();
  const instance = (more: Partial<FlowSettings> = {}) =>
    flowFixture(playing(steps), { store, clock, leaseMs, ...settings, ...more });
  return {
    store,
    clock,
    instance,
    /** An instance that dies at its nth append, from 0. */
    dying(place: number, when: KillPoint['when']) {
      const dying = dyingStore(store, { when, append: place + 1 });
      return { ...instance({ store: dying.store }), died: dying.died };
    },
  };
}

clause('0013.1', async () => {
  const { dying, instance, clock } = cluster(hello);
  const owner = dying(0, 'after');
  void owner.chat().say('Hi.');
  await owner.died;
  const other = instance();
  for (const waitMs of [0, leaseMs - 1]) {
    clock.advance(waitMs);
    await other.flow.recover();
    const message = userMessage('another', 'Hello?');
    await expect(other.chat().ask({ message })).rejects.toMatchObject({ code: 'run-active' });
  }
  expect(other.model.calls).toEqual([]);
  clock.advance(1);
  await other.flow.recover();
  expect(types((await other.chat().resume()) ?? [])).toContain('text-start');
});

clause('0013.2', async () => {
  const { wait, lift } = barrier();
  const steps: ScriptedStep[] = [[{ text: 'Hel' }, { wait }, { text: 'lo.' }]];
  const alive = cluster(steps);
  const owner = alive.instance();
  const other = alive.instance();
  const response = owner.chat().say('Hi.');
  await expect.poll(() => owner.model.calls.length).toBe(1);
  for (let waited = 0; waited < 5 * leaseMs; waited += leaseMs / 4) {
    alive.clock.advance(leaseMs / 4);
    await other.flow.recover();
  }
  expect(other.model.calls).toEqual([]);

  // Rejected: the lease has a fixed length and is not renewed.
  const fixed = cluster(steps);
  const first = fixed.instance({
    store: { ...fixed.store, runs: { ...fixed.store.runs, claimLease: async () => true } },
  });
  const second = fixed.instance();
  void first.chat().say('Hi.');
  await expect.poll(() => first.model.calls.length).toBe(1);
  fixed.clock.advance(leaseMs);
  await second.flow.recover();
  await expect.poll(() => second.model.calls.length).toBe(1);

  lift();
  expect((await response).at(-1)).toMatchObject({ type: 'finish' });
});

clause('0013.3', async () => {
  const { dying, instance, clock } = cluster(hello);
  const owner = dying(0, 'after');
  void owner.chat().say('Hi.');
  await owner.died;
  const other = instance();
  const server = await serveFlow(other.flow, { authorize: () => ada });
  const response = await (await connectSse(server.url)).resume('chat');
  const reading = response && collect(response);
  // The other instance gets no notification and acts by its own timer.
  for (let waited = 0; waited < 15_000; waited += 1_000) {
    clock.advance(1_000);
    await clock.timer(3_000);
  }
  expect((await reading)?.at(-1)).toMatchObject({ type: 'finish' });
  await server.close();
});

clause('0013.4', async () => {
  const { dying, instance, clock } = cluster(hello);
  const owner = dying(0, 'after');
  void owner.chat().say('Hi.');
  await owner.died;
  clock.advance(leaseMs);
  const rivals = Array.from({ length: 5 }, () => instance());
  await Promise.all(rivals.map(({ flow }) => flow.recover()));
  for (const { chat } of rivals) expect(types((await chat().resume()) ?? [])).toContain('text-start');
  expect(rivals.flatMap(({ model }) => model.calls)).toHaveLength(1);
});

clause('0013.5', async () => {
  let advance = (_ms: number) => {};
  /** Long enough for a call's end to be written alone, while the model is running. */
  const think = async () => {
    advance(20);
    await untilIdle();
  };
  const steps: ScriptedStep[] = [
    [{ call: 'weather', input: { city: 'Tokyo' } }],
    [{ wait: think }, { text: 'Sunny.' }],
  ];
  const ran: number[] = [];
  let appends = 0;
  for (let place = 0, isOver = false; !isOver; place += 1) {
    for (const death of ['before', 'after'] as const) {
      const { dying, instance, clock, store } = cluster(steps);
      advance = clock.advance;
      const owner = dying(place, death);
      const end = await Promise.race([owner.died, owner.chat().say('How is it?')]);
      isOver = end !== undefined;
      if (isOver) break;
      appends = place + 1;
      clock.advance(leaseMs);
      const next = instance();
      await next.flow.recover();
      const isKnown = (await store.chats.head(owner.chat().id)) !== undefined;
      if (isKnown) expect((await next.chat().resume())?.at(-1)).toMatchObject({ type: 'finish' });
      ran.push(owner.ran.length + next.ran.length);
    }
  }
  expect(appends).toBeGreaterThan(3);
  expect(Math.max(...ran)).toBe(1);

  // Rejected: the effect first, then its record.
  const requested: EventBody = {
    type: 'tool-requested',
    toolCallId: parseToolCallId('pay-1'),
    toolName: 'pay',
    input: {},
    executor: 'server',
    kind: 'function',
    gate: { type: 'none' },
  };
  const store = sqliteStore({ path: ':memory:' });
  const asked = batch(someChat, 0, [requested]);
  await store.append(asked);
  let payments = 0;
  const pay = () => {
    payments += 1;
  };
  const dying = dyingStore(store, { when: 'before', append: 1 });
  void executeBeforeAppend(dying.store, someChat, pay);
  await dying.died;
  await executeBeforeAppend(store, someChat, pay);
  expect(payments).toBe(2);
});

clause('0013.6', async () => {
  for (const idempotent of [false, true]) {
    const ids: string[] = [];
    const { wait: never } = barrier();
    const act = tool({
      inputSchema: z.looseObject({}),
      execute: async (_input, { toolCallId }) => {
        ids.push(toolCallId);
        if (ids.length === 1) await never;
        return 'done';
      },
    });
    const { instance, clock } = cluster([[{ call: 'act', id: 'act-1' }], [{ text: 'So it is.' }]], {
      tools: { act } as ToolSet,
      toolDetails: { act: { idempotent } },
    });
    void instance().chat().say('Go.');
    await expect.poll(() => ids).toEqual(['act-1']);
    // The owner hangs: its clock does not advance, so it renews nothing.
    const next = instance({ clock: fakeClock(clock.now() + leaseMs) });
    await next.flow.recover();
    const outcome = ((await next.chat().resume()) ?? []).find(({ type }) => type.startsWith('tool-output'));
    expect(ids).toEqual(idempotent ? ['act-1', 'act-1'] : ['act-1']);
    expect(outcome).toMatchObject(
      idempotent
        ? { type: 'tool-output-available', output: 'done' }
        : { type: 'tool-output-error', errorText: expect.stringMatching(/^outcome-unknown:/) },
    );
    const told = JSON.stringify(next.model.calls.at(-1)?.prompt);
    expect(told.includes('outcome-unknown:')).toBe(!idempotent);
  }
});

clause('0013.7', async () => {
  const { wait: never } = barrier();
  const slow: ScriptedStep[] = [[{ text: 'Hel' }, { wait: never }]];
  const { instance } = cluster(slow);
  const owner = instance();
  const response = owner.chat().say('Hi.');
  await expect.poll(() => owner.model.calls.length).toBe(1);
  // The clock does not advance.
  await instance().chat().stop();
  expect((await response).at(-1)).toMatchObject({ type: 'abort' });
  expect((await owner.view()).run.status).toBe('idle');

  const orphaned = cluster(hello);
  const dead = orphaned.dying(0, 'after');
  void dead.chat().say('Hi.');
  await dead.died;
  const heir = orphaned.instance();
  await heir.chat().stop();
  orphaned.clock.advance(leaseMs);
  await heir.flow.recover();
  expect((await heir.chat().resume())?.at(-1)).toMatchObject({ type: 'abort' });
  expect(heir.model.calls).toEqual([]);

  // Rejected: the other instance appends the end. The lease forbids it. Without a lease the owner's append fails.
  const { wait, lift } = barrier();
  const { store, clock, instance: start } = cluster([[{ text: 'Hel' }, { wait }, { text: 'lo.' }]]);
  const writes: { owner: string; outcome: unknown }[] = [];
  const watched: FlowStore = {
    ...store,
    async append(append: Append) {
      const outcome = await store.append(append);
      writes.push({ owner: append.owner, outcome });
      return outcome;
    },
  };
  const busy = start({ store: watched });
  void busy.chat().say('Hi.');
  await expect.poll(() => busy.model.calls.length).toBe(1);
  const head = await store.chats.head(busy.chat().id);
  const end = batch(busy.chat().id, head?.seq ?? 0, [{ type: 'run-cancelled', reason: 'stopped' }], {
    at: clock.now(),
    head: { ...head, seq: (head?.seq ?? 0) + 1, status: 'idle' },
  });
  expect(await store.append({ ...end, owner: 'another' })).toBe('conflict');
  expect(await store.append({ ...end, owner: writes[0]?.owner ?? '' })).toBe('appended');
  lift();
  await expect.poll(() => writes.at(-1)?.outcome).toBe('conflict');
});

clause('0013.8', async () => {
  const { wait: paid, lift } = barrier();
  let runs = 0;
  const act = tool({
    inputSchema: z.looseObject({}),
    execute: async () => {
      runs += 1;
      await paid;
      return 'paid';
    },
  });
  const steps: ScriptedStep[] = [[{ call: 'act' }], [{ text: 'Done.' }]];
  const { instance } = cluster(steps, { tools: { act } as ToolSet });
  const leaving = instance();
  void leaving.chat().say('Go.');
  await expect.poll(() => runs).toBe(1);
  const closed = leaving.flow.close();
  lift();
  await closed;
  const next = instance();
  await next.flow.recover();
  expect(types((await next.chat().resume()) ?? [])).toContain('tool-output-available');
  expect({ runs, askedThere: leaving.model.calls.length, askedHere: next.model.calls.length }).toEqual({
    runs: 1,
    askedThere: 1,
    askedHere: 1,
  });

  // Rejected: to exit without closing. The run waits as long as after the owner's death.
  const { dying, instance: start, clock } = cluster(hello);
  const gone = dying(0, 'after');
  void gone.chat().say('Hi.');
  await gone.died;
  const heir = start();
  await heir.flow.recover();
  expect(heir.model.calls).toEqual([]);
  clock.advance(leaseMs);
  await heir.flow.recover();
  expect(types((await heir.chat().resume()) ?? [])).toContain('text-start');
});

clause('0013.9', async () => {
  const pay = { call: 'pay', input: { to: 'Bo', amount: 5 } };
  const asking: ScriptedStep[] = [[{ text: 'I will pay.' }, pay]];

  /** The chat's events after a stop from another instance, which the owner reads too late. */
  async function stopped(step: ScriptedStep, enforces: boolean): Promise<string[]> {
    const { wait, lift } = barrier();
    const { store, clock, instance } = cluster([[...step, { wait }]]);
    const deaf = missedStopsStore(store);
    const owner = instance({ store: deaf, clock });
    const response = owner.chat().say('Go.');
    await expect.poll(() => owner.model.calls.length).toBe(1);
    // Rejected: a request that only the owner reads, and that the store does not enforce.
    const unheeded = { ...store, runs: { ...store.runs, requestStop: async () => {} } };
    await instance(enforces ? {} : { store: unheeded })
      .chat()
      .stop();
    lift();
    await response;
    return (await owner.chat().events()).map(({ type }) => type);
  }

  for (const step of asking) {
    const log = await stopped(step, true);
    expect(log).toEqual(
      expect.arrayContaining(['text-delta', 'step-finished', 'tool-requested', 'tool-cancelled']),
    );
    expect(log).not.toContain('approval-requested');
    expect(log.at(-1)).toBe('run-cancelled');
    expect(await stopped(step, false)).toContain('approval-requested');
  }
  expect(await stopped([{ call: 'weather', input: { city: 'Rome' } }], true)).not.toContain('tool-started');
  expect(await stopped([{ call: 'theme' }], true)).not.toContain('run-suspended');
});

/** The outcome of a question with a deadline of a minute, and of a long step, with one slow and one fast clock. */
async function withSkew(sharesTime: boolean) {
  const minute = 60_000;
  const pay = { call: 'pay', input: { to: 'Bo', amount: 5 } };
  const payEachTime: Script = ({ prompt }) => (prompt.at(-1)?.role === 'user' ? [pay] : [{ text: 'Paid.' }]);
  const asked = skewedInstances({ script: payEachTime, sharesTime });
  const settings = { deadlineMs: minute, auditKey: 'a key of this test' };
  const [slow, fast] = [asked.instance(-10 * minute, settings), asked.instance(10 * minute, settings)];
  const approvalId = questionIn(await slow.chat().say('Pay Bo.'));
  await fast.flow.recover();
  const { state } = await slow.flow.approvals.read({
    principal: ada,
    approvalId: parseApprovalId(approvalId),
  });
  if (state === 'open') await fast.chat().answer(approvalId, true);
  await fast.chat().resume();
  await slow.chat().say('Pay again.');
  const chatId = fast.chat().id;
  const times = (await fast.flow.audit.read({ chatId, principal: ada })).entries.map(({ at }) =>
    Date.parse(at),
  );

  const { wait, lift } = barrier();
  const led = skewedInstances({ script: [[{ text: 'Hel' }, { wait }, { text: 'lo.' }]], sharesTime });
  const [owner, other] = [led.instance(-10 * minute), led.instance(10 * minute)];
  const response = owner.chat().say('Hi.');
  await expect.poll(() => owner.model.calls.length).toBe(1);
  await other.flow.recover();
  const takenOver = (await other.chat().events()).length > 0 && led.claims() > 0;
  lift();
  await response;
  return { state, times, now: asked.clock.now(), takenOver };
}

clause('0013.10', async () => {
  const { state, times, now, takenOver } = await withSkew(true);
  expect({ state, takenOver }).toEqual({ state: 'open', takenOver: false });
  // All times are the store's, which does not advance. None is off by ten minutes.
  expect(new Set(times)).toEqual(new Set([now]));

  // Rejected: each instance uses its own clock.
  const own = await withSkew(false);
  expect(own).toMatchObject({ state: 'expired', takenOver: true });
  expect(own.times).not.toEqual(own.times.toSorted((a, b) => a - b));
});

clause('0013.11', async () => {
  const minute = 60_000;
  const pay = { call: 'pay', input: { to: 'Bo', amount: 5 } };
  const { instance, clock, time, store } = skewedInstances({ script: playing([[pay], [{ text: 'Paid.' }]]) });
  const dying = dyingStore(store, { when: 'after', append: 1 });
  const { flow, chat } = instance(0, { deadlineMs: minute, retentionMs: 60 * minute });
  const orphaned = parseChatId('orphaned');
  const { wait: never } = barrier();
  void flowFixture([[{ wait: never }]], { store: dying.store, clock })
    .chat(orphaned)
    .say('Hi.');
  await dying.died;
  const asked = chat('asked');
  const approvalId = parseApprovalId(questionIn(await asked.say('Pay Bo.')));
  const before = [await store.chats.head(asked.id), await store.chats.head(orphaned)];

  clock.advance(2 * 60 * minute);
  time.cut();
  await expect(flow.recover()).rejects.toMatchObject({ code: 'internal', transient: true });
  const asks = [
    flow.approvals.list({ principal: ada, state: 'open' }),
    flow.approvals.read({ principal: ada, approvalId }),
    flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'test' }),
  ];
  for (const ask of asks) await expect(ask).rejects.toMatchObject({ code: 'internal', transient: true });
  expect([await store.chats.head(asked.id), await store.chats.head(orphaned)]).toEqual(before);

  time.heal();
  await flow.recover();
  expect((await store.chats.head(asked.id))?.open ?? null).toBeNull();
  expect(await store.runs.orphans(clock.now())).toEqual([]);
});

clause('0013.12', async () => {
  const { wait, lift } = barrier();
  const steps: ScriptedStep[] = [
    [{ wait }, { call: 'weather', input: { city: 'Rome' } }],
    [{ text: 'Sunny.' }],
  ];
  const { instance, clock, time } = skewedInstances({ script: playing(steps) });
  const { chat, model, ran } = instance(0, { approvalValidForMs: 60_000 });
  const response = chat().say('How is it?');
  await expect.poll(() => model.calls.length).toBe(1);
  time.cut();
  lift();
  await passTime(clock, 5_000, 50);
  expect(ran).toEqual([]);
  time.heal();
  await passTime(clock, 5_000, 50);
  expect((await response).at(-1)).toMatchObject({ type: 'finish' });
  expect(ran).toHaveLength(1);
});

clause('0013.13', async () => {
  const pay = { call: 'pay', input: { to: 'Bo', amount: 5 } };
  const { instance, time } = skewedInstances({ script: playing([[pay], [{ text: 'Paid.' }]]) });
  const { chat } = instance(0, { deadlineMs: 60_000 });
  await chat().answer(questionIn(await chat().say('Pay Bo.')), true);
  expect(time.measures()).toBe(0);
  // Once, also after later readings.
  time.forget();
  await chat().say('And again.');
  expect(time.measures()).toBe(1);
});

clause('0013.14', async () => {
  const warned = async (aheadMs: number) => {
    const warnings: unknown[] = [];
    const { instance } = skewedInstances({ script: [] });
    const logger = { warn: (_: string, facts: unknown) => warnings.push(facts), error: () => {} };
    const { flow } = instance(aheadMs, { logger });
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await flow.recover();
    return warnings;
  };
  expect(await warned(1_001)).toEqual([{ aheadMs: 1_001 }]);
  expect(await warned(-600_000)).toEqual([{ aheadMs: -600_000 }]);
  for (const aheadMs of [-1_000, 0, 1_000]) expect(await warned(aheadMs)).toEqual([]);
});

clause('0013.15', async () => {
  const timesAfter = async (backMs: number) => {
    const { clock, store } = skewedInstances({ script: [] });
    let back = 0;
    const shared = { now: () => clock.now() - back, measure: async () => {} };
    const { chat } = flowFixture([[{ text: 'One.' }], [{ text: 'Two.' }]], {
      store: { ...store, clock: shared },
      clock,
    });
    await chat().say('Hi.');
    back = backMs;
    await chat().say('And now?');
    const times = (await chat().events()).map(({ at }) => at - clock.now());
    return [...new Set(times)];
  };
  expect(await timesAfter(40)).toEqual([0]);
  // A clock that was set back is accepted. Otherwise all events would have one time until it has caught up.
  expect(await timesAfter(600_000)).toEqual([0, -600_000]);
});
