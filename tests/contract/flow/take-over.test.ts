import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { sqliteStore } from 'countersign/store';
import { collect, dyingStore, fakeClock, type ScriptedStep } from 'countersign/testing';
import { timelineOf } from 'countersign/views';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { uiMessageChunks } from '../../../lib/views/index.ts';
import { administeredSqlite } from '../../support/administered-store.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, lasting, types } from '../../support/flow-fixture.ts';

const leaseMs = 10_000;
const long = 'x'.repeat(2_100);

/** The same model before and after the crash: what it does next follows from what it is told. */
const playing = (steps: ScriptedStep[]) => (options: LanguageModelV4CallOptions) =>
  steps[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];

describe('who takes a run over [H-Errors]', () => {
  /** An instance that has died after an append, from 1, and the next one, which starts when its lease has expired. */
  async function crashed(steps: ScriptedStep[], append: number, settings: Partial<FlowSettings> = {}) {
    const { store, another } = administeredSqlite();
    const clock = fakeClock();
    const dying = dyingStore(store, { when: 'after', append });
    const common = { clock, leaseMs, ...settings };
    void flowFixture(playing(steps), { store: dying.store, ...common }).say('Hi.');
    await dying.died;
    const next = flowFixture(playing(steps), { store: another(), ...common });
    onTestFinished(() => next.flow.close());
    const reader = await next.flow.chats.resume({ chatId: next.id, principal: ada });
    clock.advance(leaseMs);
    return { ...next, reader };
  }

  it('one instance that looks twice at the same moment, once', async () => {
    const { flow, model, resume } = await crashed([[{ text: 'Hello.' }]], 1);
    await Promise.all([flow.recover(), flow.recover()]);
    expect(types((await resume()) ?? [])).toContain('text-start');
    expect(model.calls).toHaveLength(1);
  });

  it.each([
    ['progressive', 'starts it with reset-step [T11]'],
    ['final', 'releases its text once [T3]'],
  ] as const)('and repeats a step; %s %s', async (release, _what) => {
    const { flow, id, events, view, resume, reader } = await crashed([[{ text: [long, 'y'] }]], 2, {
      release,
    });
    await flow.recover();
    if (!reader) throw new Error('There is nothing to resume.');
    const live = release === 'progressive';
    const chunks = live ? await collect(uiMessageChunks(reader)) : ((await resume()) ?? []);
    expect(types(chunks).includes('reset-step')).toBe(live);
    const message = await messageOf(chunks);
    expect(message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([`${long}y`]);
    expect(plain((await view()).messages.at(-1))).toEqual(message);
    expect(lasting(chunks).at(-1)).toMatchObject({ type: 'finish' });
    const { spans } = timelineOf(id, await events());
    expect(spans.map(({ state }) => state)).toEqual(['cancelled', 'completed']);
  });

  it('and the draft of a repeated step contains its text once [H4]', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const { flow, view, events } = await crashed([[{ text: [long] }, { wait: never }]], 2);
    await flow.recover();
    await expect
      .poll(async () => (await events()).filter(({ type }) => type === 'text-delta').length)
      .toBe(2);
    expect((await view()).draft).toBe(long);
  });
});

it('closing an instance hands its run over to the next instance immediately', async () => {
  const clock = fakeClock();
  const { promise: never } = Promise.withResolvers<void>();
  const store = sqliteStore({ path: ':memory:' });
  const before = flowFixture([[{ text: 'Hel' }, { wait: never }]], { store, clock, leaseMs });
  void before.say('Hi.');
  await expect.poll(() => before.model.calls.length).toBe(1);
  await before.flow.close();
  const after = flowFixture([[{ text: 'Hello.' }]], { store, clock, leaseMs });
  await after.flow.recover();
  const message = await messageOf((await after.resume()) ?? []);
  expect(message.parts).toContainEqual(
    expect.objectContaining({ type: 'text', text: 'Hello.', state: 'done' }),
  );
});
