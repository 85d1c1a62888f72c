import { type Tool, type ToolSet, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { acting, outcomeOf, phases } from '../../support/acting-tool.ts';
import { flowFixture, types } from '../../support/flow-fixture.ts';

const anything = z.looseObject({});
const withFields = (fields: object, message = 'failed') => Object.assign(new Error(message), fields);

describe('stopping a run with tools [H5]', () => {
  it('gives a tool that ignores the signal 5 s, then records its outcome as unknown [H5]', async () => {
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const { promise: late, resolve: finish } = Promise.withResolvers<string>();
    const { run, stop, clock, events } = acting(() => {
      onStart();
      return late;
    });
    const response = run();
    await started;
    const stopped = stop();
    await clock.timer(5_000);
    clock.advance(4_999);
    expect((await events()).some((event) => event.type === 'tool-failed')).toBe(false);
    clock.advance(1);
    await stopped;
    finish('too late');
    expect(outcomeOf(await response)).toMatchObject({
      errorText: expect.stringMatching(/^outcome-unknown:/),
    });
    expect((await response).at(-1)?.type).toBe('abort');
    expect(
      (await events()).filter((event) => event.type.startsWith('tool-') && event.type !== 'tool-requested'),
    ).toHaveLength(2);
  });

  it('keeps the result of a tool that ends within the grace period [H5]', async () => {
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const { promise: soon, resolve: finish } = Promise.withResolvers<string>();
    const { run, stop, clock } = acting(() => {
      onStart();
      return soon;
    });
    const response = run();
    await started;
    const stopped = stop();
    await clock.timer(5_000);
    finish('just in time');
    await stopped;
    expect(outcomeOf(await response)).toMatchObject({ output: 'just in time' });
  });

  it('ends a call without a second attempt if the run is stopped while the retry is pending [H5, A10]', async () => {
    let tries = 0;
    const { run, stop, clock } = acting(
      () => {
        tries += 1;
        throw withFields({ status: 503 });
      },
      { details: { idempotent: true } },
    );
    const response = run();
    await clock.timer(1_000);
    await stop();
    expect(outcomeOf(await response)).toMatchObject({ type: 'tool-output-error' });
    expect(tries).toBe(1);
  });
});

describe('executing a tool', () => {
  it('runs the ungated calls of a step at the same time', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let place = 0;
    const meet = tool({
      inputSchema: anything,
      execute: async () => {
        const own = place;
        place += 1;
        gates[own]?.resolve();
        await gates[1 - own]?.promise;
        return own;
      },
    });
    const { chat } = flowFixture([[{ call: 'meet' }, { call: 'meet' }], [{ text: 'Met.' }]], {
      tools: { meet } as ToolSet,
    });
    const response = await chat().say('Go.');
    expect(response.filter(({ type }) => type === 'tool-output-available')).toHaveLength(2);
  });

  it('passes the principal, the chat and the tool’s own context to the tool', async () => {
    let seen: unknown;
    const { run } = acting(
      (_input, { context }) => {
        seen = context;
      },
      {
        settings: { toolsContext: { act: { tenant: 'blue', principal: 'forged' } } },
      },
    );
    await run();
    expect(seen).toEqual({
      tenant: 'blue',
      principal: { id: 'ada', name: 'Ada', recordedAt: expect.any(Number) },
      chatId: 'chat',
      idempotencyKey: expect.stringMatching(/^idem_[\w-]{43}$/),
      fencingToken: expect.any(Number),
      ask: expect.any(Function),
      writer: { write: expect.any(Function) },
    });
  });

  it('reports preliminary results, and keeps the last one as the output', async () => {
    const { run, events } = acting(async function* () {
      yield { found: 1 };
      yield { found: 2 };
      yield { found: 3 };
    });
    const response = await run();
    expect(response.filter(({ type }) => type === 'tool-output-available')).toMatchObject([
      { output: { found: 3 } },
    ]);
    expect(phases(response)).toEqual([
      'requested',
      'started',
      'progressed',
      'progressed',
      'progressed',
      'completed',
    ]);
    const progress = (await events()).filter((event) => event.type === 'tool-progressed');
    expect(progress).toMatchObject([
      { output: { found: 1 } },
      { output: { found: 2 } },
      { output: { found: 3 } },
    ]);
  });

  const cyclic: Record<string, unknown> = { name: 'loop' };
  cyclic.self = cyclic;
  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['null', null, null],
    ['a BigInt', 12n, '12'],
    ['a BigInt inside', { id: 12n }, { id: '12' }],
    ['a cycle', cyclic, { name: 'loop', self: '[circular]' }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a map', new Map([[1, 2]]), {}],
    ['NaN', Number.NaN, null],
    ['a function', () => 1, null],
    ['an empty text', '', ''],
    ['no', false, false],
  ])('converts %s to plain JSON for the person and the model', async (_what, output, plain) => {
    const { run, model } = acting(() => output);
    const response = await run();
    expect(outcomeOf(response)).toMatchObject({ type: 'tool-output-available', output: plain });
    expect(model.calls).toHaveLength(2);
    expect(types(response).at(-1)).toBe('finish');
  });

  it('sends the model a result in the tool’s own format', async () => {
    const { run, model } = acting(() => ({ secret: 1 }), {
      tool: { toModelOutput: () => ({ type: 'text', value: 'a summary' }) } as Partial<Tool>,
    });
    expect(outcomeOf(await run())).toMatchObject({ output: { secret: 1 } });
    expect(model.calls[1]?.prompt.at(-1)?.content).toMatchObject([
      { output: { type: 'text', value: 'a summary' } },
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('Cannot say.');
      },
    ],
    ['returns nothing', () => undefined],
    ['returns no type', () => ({ value: 'paid' })],
  ])(
    'completes a call whose conversion %s, and says so in the model’s result',
    async (_what, toModelOutput) => {
      const { run, model } = acting(() => 'paid', { tool: { toModelOutput } as unknown as Partial<Tool> });
      expect(outcomeOf(await run())).toMatchObject({ type: 'tool-output-available', output: 'paid' });
      expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('The tool ran');
    },
  );
});
