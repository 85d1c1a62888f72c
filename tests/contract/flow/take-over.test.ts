import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { sqliteStore } from 'countersign/store';
import { collect, dyingStore, fakeClock, type ScriptedStep } from 'countersign/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { type FlowSettings, uiMessageChunks } from '../../../lib/flow/index.ts';
import type { FlowStore } from '../../../lib/log/store-port.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, lasting, types } from '../../support/flow-fixture.ts';

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
});
