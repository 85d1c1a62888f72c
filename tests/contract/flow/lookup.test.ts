import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings, LookupResult, ToolDetails } from '../../../lib/flow/index.ts';
import { outcomeOf } from '../../support/acting-tool.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const leaseMs = 10_000;
const steps: ScriptedStep[] = [[{ call: 'act', id: 'act-1', input: { to: 'ann' } }], [{ text: 'Done.' }]];
type Lookup = NonNullable<ToolDetails['lookup']>;

/** A gated call whose owner hangs while it runs, and the instance that takes its run over. */
async function takenOver(lookup: Lookup, details: ToolDetails = {}) {
  const store = sqliteStore({ path: ':memory:' });
  const clock = fakeClock();
  const started = Promise.withResolvers<string>();
  const { promise: never } = Promise.withResolvers<string>();
  const keys: string[] = [];
  const act = tool({
    inputSchema: z.looseObject({}),
    needsApproval: true,
    execute: (_input, { context }) => {
      keys.push((context as { idempotencyKey: string }).idempotencyKey);
      started.resolve('started');
      return keys.length === 1 ? never : 'ran again';
    },
  });
  const warnings: object[] = [];
  const settings: Partial<FlowSettings> = {
    store,
    leaseMs,
    tools: { act } as ToolSet,
    toolDetails: { act: { ...details, lookup } },
    logger: { warn: (_message, facts) => warnings.push(facts), error: () => {} },
  };
  const script = (options: { prompt: readonly { role: string }[] }) =>
    steps[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];
  const owner = flowFixture(script, { ...settings, clock });
  const { say, answer } = owner.chat();
  void answer(questionIn(await say('Go.')), true);
  await started.promise;
  const later = fakeClock(clock.now() + leaseMs);
  const heir = flowFixture(script, { ...settings, clock: later });
  await heir.flow.recover();
  return { heir, keys, clock: later, warnings, chat: heir.chat() };
}

describe('a tool’s `lookup` settles a call whose owner died', () => {
  it.each<[string, LookupResult, object, object]>([
    [
      'completed',
      { outcome: 'completed', output: { paid: 3 } },
      { type: 'tool-completed', output: { paid: 3 } },
      { type: 'tool-output-available', output: { paid: 3 } },
    ],
    [
      'failed',
      { outcome: 'failed', error: 'No such account.' },
      { type: 'tool-failed', outcome: 'failed', error: 'No such account.', retryable: false },
      { type: 'tool-output-error', errorText: 'No such account.' },
    ],
    [
      'not run',
      { outcome: 'not-run' },
      { type: 'tool-failed', outcome: 'failed', retryable: true },
      { type: 'tool-output-error', errorText: 'It did not run: the server went away first.' },
    ],
    [
      'not known',
      undefined,
      { type: 'tool-failed', outcome: 'unknown', retryable: false },
      { type: 'tool-output-error', errorText: expect.stringMatching(/^outcome-unknown:/) },
    ],
  ])('%s', async (_what, result, end, chunk) => {
    const asked: unknown[] = [];
    const { keys, chat, heir } = await takenOver((key, { input, context }) => {
      asked.push([key, input, context.chatId, context.principal.id, context.approvedBy?.id]);
      return result;
    });
    const response = (await chat.resume()) ?? [];
    expect(outcomeOf(response)).toMatchObject(chunk);
    expect(asked).toEqual([[keys[0], { to: 'ann' }, 'chat', 'ada', 'ada']]);
    expect(keys).toHaveLength(1);
    const ends = (await chat.events()).filter(
      ({ type }) => type === 'tool-completed' || type === 'tool-failed',
    );
    expect(ends).toMatchObject([end]);
    expect(heir.model.calls).toHaveLength(1);
  });

  it.each<[string, Lookup]>([
    [
      'throws',
      () => {
        throw new Error('No line.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('No line.'))],
    ['returns something else', () => ({ outcome: 'paid' }) as never],
  ])('leaves the outcome unknown when it %s, and logs that', async (_what, lookup) => {
    const { chat, warnings } = await takenOver(lookup);
    expect(outcomeOf((await chat.resume()) ?? [])).toMatchObject({
      errorText: expect.stringMatching(/^outcome-unknown:/),
    });
    expect(warnings).toMatchObject([{ toolCallId: 'act-1', toolName: 'act' }]);
    expect(JSON.stringify(warnings)).not.toContain('ann');
  });

  it('leaves the outcome unknown when it takes longer than 10 s', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const { chat, clock } = await takenOver((_key, { abortSignal }) => {
      asked.resolve(abortSignal);
      return Promise.withResolvers<undefined>().promise;
    });
    const signal = await asked.promise;
    clock.advance(10_000);
    expect(signal.aborted).toBe(true);
    expect(outcomeOf((await chat.resume()) ?? [])).toMatchObject({
      errorText: expect.stringMatching(/^outcome-unknown:/),
    });
  });

  it('avoids a second run of an idempotent tool', async () => {
    const known = await takenOver(() => ({ outcome: 'completed', output: 'found' }), { idempotent: true });
    expect(outcomeOf((await known.chat.resume()) ?? [])).toMatchObject({ output: 'found' });
    expect(known.keys).toHaveLength(1);
    const unknown = await takenOver(() => undefined, { idempotent: true });
    expect(outcomeOf((await unknown.chat.resume()) ?? [])).toMatchObject({ output: 'ran again' });
    expect(unknown.keys).toEqual([unknown.keys[0], unknown.keys[0]]);
  });
});
