import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { collect, dyingStore, fakeClock, type ScriptedStep } from 'countersign/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FlowSettings, uiMessageChunks } from '../../../lib/flow/index.ts';
import type { FlowStore } from '../../../lib/log/store-port.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, lasting, types, userMessage } from '../../support/flow-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-take-over-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `${files}.sqlite`);
};

const leaseMs = 10_000;

/** The same model before and after the crash: what it does next follows from what it is told. */
const playing = (steps: ScriptedStep[]) => (options: LanguageModelV4CallOptions) =>
  steps[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];

describe('H, "Errors": who goes on with a run', () => {
  function crashed(steps: ScriptedStep[], place: number, settings: Partial<FlowSettings> = {}) {
    const path = newFile();
    const clock = fakeClock();
    const dying = dyingStore(sqliteStore({ path }), { when: 'after', append: place + 1 });
    const common = { clock, leaseMs, ...settings };
    const before = flowFixture(playing(steps), { store: dying.store, ...common });
    const restart = (store: FlowStore = sqliteStore({ path })) =>
      flowFixture(playing(steps), { store, ...common });
    return { before, restart, clock, died: dying.died };
  }

  it('nobody takes a run over before its lease ends; then whoever sweeps first does, once', async () => {
    const { before, restart, clock, died } = crashed([[{ text: 'Hello.' }]], 0);
    void before.chat().say('Hi.');
    await died;
    const one = restart();
    const two = restart(one.store);
    await Promise.all([one.flow.recover(), two.flow.recover()]);
    expect([...one.model.calls, ...two.model.calls]).toEqual([]);
    const message = userMessage('another', 'Hello?');
    await expect(one.chat().ask({ message })).rejects.toMatchObject({ code: 'run-active' });
    clock.advance(leaseMs);
    await Promise.all([one.flow.recover(), two.flow.recover()]);
    expect(types((await one.chat().resume()) ?? [])).toContain('text-start');
    expect(one.model.calls.length + two.model.calls.length).toBe(1);
  });

  it('one instance that looks twice at the same moment takes a run over once', async () => {
    const { before, restart, clock, died } = crashed([[{ text: 'Hello.' }]], 0);
    void before.chat().say('Hi.');
    await died;
    const { chat, flow, model } = restart();
    clock.advance(leaseMs);
    await Promise.all([flow.recover(), flow.recover()]);
    expect(types((await chat().resume()) ?? [])).toContain('text-start');
    expect(model.calls).toHaveLength(1);
  });

  it('the instance’s own clock takes the run over, without being told to', async () => {
    const { before, restart, clock, died } = crashed([[{ text: 'Hello.' }]], 0);
    void before.chat().say('Hi.');
    await died;
    const { chat, flow } = restart();
    await flow.recover();
    const reading = chat().resume();
    for (let waited = 0; waited < leaseMs; waited += 3_000) {
      clock.advance(3_000);
      await clock.timer(3_000);
    }
    expect(types((await reading) ?? [])).toContain('text-start');
  });

  it('a stop that was asked for while the owner was gone is heeded at once', async () => {
    const { before, restart, clock, died } = crashed([[{ text: 'Hello.' }]], 0);
    void before.chat().say('Hi.');
    await died;
    const { chat, flow, model } = restart();
    await chat().stop();
    clock.advance(leaseMs);
    await flow.recover();
    expect((await chat().resume())?.at(-1)).toMatchObject({ type: 'abort' });
    expect(model.calls).toEqual([]);
  });

  it('an idempotent tool that was interrupted runs again, under the same id', async () => {
    const ids: string[] = [];
    const { promise: never } = Promise.withResolvers<string>();
    const act = tool({
      inputSchema: z.looseObject({}),
      execute: (_input, { toolCallId }) => {
        ids.push(toolCallId);
        return ids.length === 1 ? never : 'done';
      },
    });
    const settings = { tools: { act } as ToolSet, toolDetails: { act: { idempotent: true } } };
    const steps: ScriptedStep[] = [[{ call: 'act', id: 'act-1' }], [{ text: 'Done.' }]];
    const path = newFile();
    const clock = fakeClock();
    const before = flowFixture(playing(steps), { store: sqliteStore({ path }), clock, leaseMs, ...settings });
    void before.chat().say('Go.');
    await expect.poll(() => ids).toEqual(['act-1']);
    clock.advance(1);
    // The first instance never renews its lease: its clock is not advanced any more.
    const later = fakeClock(clock.now() + leaseMs);
    const after = flowFixture(playing(steps), {
      store: sqliteStore({ path }),
      clock: later,
      leaseMs,
      ...settings,
    });
    await after.flow.recover();
    expect(types((await after.chat().resume()) ?? [])).toContain('tool-output-available');
    expect(ids).toEqual(['act-1', 'act-1']);
  });

  it('T11: a step that is run again after a take-over begins with reset-step', async () => {
    const { before, restart, clock, died } = crashed([[{ text: ['x'.repeat(2_100), 'y'] }]], 1, {
      release: 'progressive',
    });
    void before.chat().say('Hi.');
    await died;
    const { chat, flow } = restart();
    const talk = chat();
    const reader = await flow.resume({ chatId: talk.id, principal: ada });
    clock.advance(leaseMs);
    await flow.recover();
    if (!reader) throw new Error('There is nothing to resume.');
    const chunks = await collect(uiMessageChunks(reader));
    expect(types(chunks)).toContain('reset-step');
    const texts = (await messageOf(chunks)).parts.flatMap((part) =>
      part.type === 'text' ? [part.text] : [],
    );
    expect(texts).toEqual([`${'x'.repeat(2_100)}y`]);
    expect(plain((await talk.view()).messages.at(-1))).toEqual(await messageOf(chunks));
    expect(lasting(chunks).at(-1)).toMatchObject({ type: 'finish' });
  });

  it('T3: a step that is run again after a take-over releases its text once', async () => {
    const { before, restart, clock, died } = crashed([[{ text: ['x'.repeat(2_100), 'y'] }]], 1);
    void before.chat().say('Hi.');
    await died;
    const { chat, flow } = restart();
    clock.advance(leaseMs);
    await flow.recover();
    const message = await messageOf((await chat().resume()) ?? []);
    const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(texts).toEqual([`${'x'.repeat(2_100)}y`]);
    expect(plain((await chat().view()).messages.at(-1))).toEqual(message);
  });

  it('H4: the draft of a step that is run again holds its text once', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const steps: ScriptedStep[] = [[{ text: ['x'.repeat(2_100)] }, { wait: never }]];
    const { before, restart, clock, died } = crashed(steps, 1);
    void before.chat().say('Hi.');
    await died;
    const { chat, flow } = restart();
    clock.advance(leaseMs);
    await flow.recover();
    await expect
      .poll(async () => (await chat().events()).filter(({ type }) => type === 'text-delta').length)
      .toBe(2);
    expect((await chat().view()).draft).toBe('x'.repeat(2_100));
  });
});

describe('H5: a stop from another instance', () => {
  it('H5: reaches the owner of the run', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const store = sqliteStore({ path: newFile() });
    const clock = fakeClock();
    const owner = flowFixture([[{ text: 'Hel' }, { wait: never }]], { store, clock, leaseMs });
    const other = flowFixture([], { store, clock, leaseMs });
    const response = owner.chat().say('Hi.');
    await expect.poll(() => owner.model.calls.length).toBe(1);
    await other.chat().stop();
    for (let waited = 0; waited < leaseMs; waited += leaseMs / 4) clock.advance(leaseMs / 4);
    expect((await response).at(-1)).toMatchObject({ type: 'abort' });
    expect((await other.chat().view()).run.status).toBe('idle');
  });
});

describe('DESIGN: closing', () => {
  it('a run of an instance that closes is taken over at once by the next', async () => {
    const path = newFile();
    const clock = fakeClock();
    const { promise: never } = Promise.withResolvers<void>();
    const store = sqliteStore({ path });
    const before = flowFixture([[{ text: 'Hel' }, { wait: never }]], { store, clock, leaseMs });
    const leaving = before.chat().say('Hi.');
    await expect.poll(() => before.model.calls.length).toBe(1);
    await before.flow.close();
    const after = flowFixture([[{ text: 'Hello.' }]], { store, clock, leaseMs });
    await after.flow.recover();
    const message = await messageOf((await after.chat().resume()) ?? []);
    expect(message.parts).toContainEqual({ type: 'text', text: 'Hello.', state: 'done' });
    void leaving;
  });

  it('a tool that runs while the instance closes runs to its end, and is not run again', async () => {
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const { promise: paid, resolve: finish } = Promise.withResolvers<string>();
    let runs = 0;
    const act = tool({
      inputSchema: z.looseObject({}),
      execute: () => {
        runs += 1;
        onStart();
        return paid;
      },
    });
    const store = sqliteStore({ path: newFile() });
    const clock = fakeClock();
    const steps = playing([[{ call: 'act', id: 'act-1' }], [{ text: 'Done.' }]]);
    const common = { store, clock, leaseMs, tools: { act } as ToolSet };
    const before = flowFixture(steps, common);
    void before.chat().say('Go.');
    await started;
    const closed = before.flow.close();
    finish('paid');
    await closed;
    const after = flowFixture(steps, common);
    await after.flow.recover();
    expect(types((await after.chat().resume()) ?? [])).toContain('tool-output-available');
    expect(runs).toBe(1);
  });
});
