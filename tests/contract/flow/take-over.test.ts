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

describe('who takes a run over [H-Errors]', () => {
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

  it('no one before its lease expires; then the first instance that sweeps, once', async () => {
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

  it('one instance that looks twice at the same moment, once', async () => {
    const { before, restart, clock, died } = crashed([[{ text: 'Hello.' }]], 0);
    void before.chat().say('Hi.');
    await died;
    const { chat, flow, model } = restart();
    clock.advance(leaseMs);
    await Promise.all([flow.recover(), flow.recover()]);
    expect(types((await chat().resume()) ?? [])).toContain('text-start');
    expect(model.calls).toHaveLength(1);
  });

  it('an instance by its own timer, without a request', async () => {
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

  it('and a stop that was requested while there was no owner takes effect immediately', async () => {
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

  it('and runs an interrupted idempotent tool again, with the same id', async () => {
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

  it('and starts a repeated step with reset-step [T11]', async () => {
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

  it('and releases the text of a repeated step once [T3]', async () => {
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

  it('and the draft of a repeated step contains its text once [H4]', async () => {
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

describe('a stop from another instance [H5]', () => {
  it('reaches the owner of the run [H5]', async () => {
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

describe('closing an instance', () => {
  it('hands its run over to the next instance immediately', async () => {
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
    expect(message.parts).toContainEqual(
      expect.objectContaining({ type: 'text', text: 'Hello.', state: 'done' }),
    );
    void leaving;
  });

  it('lets a running tool finish, and it does not run again', async () => {
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
