import { type Tool, type ToolSet, tool, type UIMessageChunk } from 'ai';
import { checkResponseTiming, fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings, ToolDetails } from '../../../lib/flow/index.ts';
import { flowFixture, questionIn, types } from '../../support/flow-fixture.ts';

type Execute = (input: unknown, options: { abortSignal?: AbortSignal; context?: unknown }) => unknown;
const anything = z.looseObject({});

/** A flow with one tool, `act`, which does as it is told, on a clock that stands still. */
function acting(
  execute: Execute,
  more: {
    gated?: boolean;
    details?: ToolDetails;
    settings?: Partial<FlowSettings>;
    tool?: Partial<Tool>;
  } = {},
) {
  const clock = fakeClock();
  const act = tool({ inputSchema: anything, execute: execute as never, needsApproval: more.gated === true });
  const other = tool({ inputSchema: anything, execute: async () => 'other', needsApproval: true });
  const fixture = flowFixture([[{ call: 'act' }], [{ text: 'Done.' }], [{ text: 'Yes?' }]], {
    tools: { act: { ...act, ...more.tool }, other } as ToolSet,
    toolDetails: more.details ? { act: more.details } : {},
    retry: {},
    clock,
    logger: { warn: () => {}, error: () => {} },
    ...more.settings,
  });
  const { say, answer, ...chat } = fixture.chat();
  return {
    ...fixture,
    ...chat,
    clock,
    say,
    /** Lets the model call, and a person agree, as far as needed. */
    run: async () => (more.gated ? answer(questionIn(await say('Go.')), true) : say('Go.')),
  };
}

const outcomeOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error');
const phases = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) =>
    chunk.type === 'data-tool-lifecycle' ? [(chunk.data as { phase: string }).phase] : [],
  );
const withFields = (fields: object, message = 'failed') => Object.assign(new Error(message), fields);
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

const transient: [string, () => unknown, 'ambiguous' | 'not done'][] = [
  ['status 429', () => withFields({ status: 429 }), 'not done'],
  ['statusCode 503', () => withFields({ statusCode: 503 }), 'not done'],
  ['status 504', () => withFields({ status: 504 }), 'not done'],
  ['ECONNREFUSED', () => withFields({ code: 'ECONNREFUSED' }), 'not done'],
  ['ECONNRESET', () => withFields({ code: 'ECONNRESET' }), 'ambiguous'],
  ['ETIMEDOUT', () => withFields({ code: 'ETIMEDOUT' }), 'ambiguous'],
  ['a signal’s time-out', () => new DOMException('The operation timed out.', 'TimeoutError'), 'ambiguous'],
  ['fetch, refused', () => fetchFailed(withFields({ code: 'ECONNREFUSED' })), 'not done'],
  [
    'fetch, refused on every address',
    () => fetchFailed(Object.assign(new AggregateError([new Error('::1')]), { code: 'ECONNREFUSED' })),
    'not done',
  ],
  ['fetch, reset', () => fetchFailed(withFields({ code: 'ECONNRESET' })), 'ambiguous'],
  ['fetch, socket closed', () => fetchFailed(withFields({ code: 'UND_ERR_SOCKET' })), 'ambiguous'],
  ['fetch, no headers', () => fetchFailed(withFields({ code: 'UND_ERR_HEADERS_TIMEOUT' })), 'ambiguous'],
  [
    'a cause of a cause',
    () => new Error('a', { cause: new Error('b', { cause: { status: 503 } }) }),
    'not done',
  ],
];

const lasting: [string, () => unknown][] = [
  ['status 400', () => withFields({ status: 400 })],
  ['status 401', () => withFields({ status: 401 })],
  ['status 404', () => withFields({ statusCode: 404 })],
  ['status 500', () => withFields({ status: 500 })],
  ['status 502', () => withFields({ status: 502 })],
  ['an unknown host', () => fetchFailed(withFields({ code: 'ENOTFOUND' }))],
  ['a plain error that mentions 503', () => new Error('503 Service Unavailable')],
  ['a string', () => 'no'],
  ['nothing', () => undefined],
];

describe('A10: one retry of a transient failure', () => {
  it.each(transient)('A10: %s: tried again after 1 s, once, and then well', async (_what, fault) => {
    let tries = 0;
    const { run, clock, events } = acting(() => {
      tries += 1;
      if (tries === 1) throw fault();
      return 'well';
    });
    const response = run();
    await clock.timer(1_000);
    clock.advance(999);
    expect(tries).toBe(1);
    clock.advance(1);
    expect(outcomeOf(await response)).toMatchObject({ type: 'tool-output-available', output: 'well' });
    expect(tries).toBe(2);
    const log = await events();
    expect(log.filter((event) => event.type === 'tool-started')).toHaveLength(1);
    expect(log.find((event) => event.type === 'tool-completed')).toMatchObject({ durationMs: 1_000 });
    expect(phases(await response)).toEqual(['requested', 'started', 'retrying', 'completed']);
  });

  it('A9, A10: both attempts fail: one error that says it was retried', async () => {
    let tries = 0;
    const { run, clock, events } = acting(() => {
      tries += 1;
      throw withFields({ status: 503, isRetryable: true }, `Down (${tries}).`);
    });
    const response = run();
    await clock.timer(1_000);
    clock.advance(1_000);
    expect(outcomeOf(await response)).toMatchObject({ type: 'tool-output-error', errorText: 'Down (2).' });
    expect(tries).toBe(2);
    const [failed] = (await events()).filter((event) => event.type === 'tool-failed');
    expect(failed).toMatchObject({ wasRetried: true, retryable: true, durationMs: 1_000 });
  });

  it.each(lasting)('A10: %s is never retried', async (_what, fault) => {
    let tries = 0;
    const { run, events } = acting(() => {
      tries += 1;
      throw fault();
    });
    expect(outcomeOf(await run())).toMatchObject({ type: 'tool-output-error' });
    expect(tries).toBe(1);
    const [failed] = (await events()).filter((event) => event.type === 'tool-failed');
    expect(failed).toMatchObject({ wasRetried: false, retryable: false });
  });

  it.each<[string, Parameters<typeof acting>[1]]>([
    ['a tool that is marked not retryable', { details: { retryable: false } }],
    ['a flow that never retries', { settings: { retry: false } }],
    ['a gated tool', { gated: true }],
  ])('A10: %s is not tried again', async (_what, more) => {
    let tries = 0;
    const { run } = acting(() => {
      tries += 1;
      throw withFields({ status: 503 }, 'Busy.');
    }, more);
    expect(outcomeOf(await run())).toMatchObject({ type: 'tool-output-error', errorText: 'Busy.' });
    expect(tries).toBe(1);
  });

  it.each(transient.filter(([, , effect]) => effect === 'ambiguous'))(
    'A10: %s of a gated tool may have had its effect: its outcome is unknown',
    async (_what, fault) => {
      let tries = 0;
      const { run, model } = acting(
        () => {
          tries += 1;
          throw fault();
        },
        { gated: true },
      );
      expect(outcomeOf(await run())).toMatchObject({
        type: 'tool-output-error',
        errorText: expect.stringMatching(/^outcome-unknown:/),
      });
      expect(tries).toBe(1);
      expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('outcome-unknown:');
    },
  );

  it.each(transient)('A10: %s of a gated tool that is idempotent is tried again', async (_what, fault) => {
    const ids: unknown[] = [];
    const { run, clock } = acting(
      (_input, options) => {
        ids.push((options as { toolCallId?: string }).toolCallId);
        if (ids.length === 1) throw fault();
        return 'well';
      },
      { gated: true, details: { idempotent: true } },
    );
    const response = run();
    await clock.timer(1_000);
    clock.advance(1_000);
    expect(outcomeOf(await response)).toMatchObject({ output: 'well' });
    expect(ids).toEqual(['call-0-0', 'call-0-0']);
  });
});

describe('H5: stop and tools', () => {
  it('H5: a tool that ignores the signal gets 5 s, then its outcome is unknown', async () => {
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

  it('H5: a tool that ends within the grace keeps its result', async () => {
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

  it('H5, A10: a stop while a retry waits ends the call without a second attempt', async () => {
    let tries = 0;
    const { run, stop, clock } = acting(() => {
      tries += 1;
      throw withFields({ status: 503 });
    });
    const response = run();
    await clock.timer(1_000);
    await stop();
    expect(outcomeOf(await response)).toMatchObject({ type: 'tool-output-error' });
    expect(tries).toBe(1);
  });
});

describe('DESIGN: executing a tool', () => {
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

  it('hands the principal, the chat and the tool’s own context to the tool', async () => {
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
    expect(seen).toEqual({ tenant: 'blue', principal: { id: 'ada', name: 'Ada' }, chatId: 'chat' });
  });

  it('hands over the principal who answered', async () => {
    let seen: unknown;
    const eve = { id: 'eve', name: 'Eve' };
    const { chat, say } = acting(
      (_input, { context }) => {
        seen = context;
      },
      { gated: true, settings: { mayAccess: () => true, mayAnswer: () => true } },
    );
    await chat('chat', eve).answer(questionIn(await say('Go.')), true);
    expect(seen).toMatchObject({ principal: eve });
  });

  it('tells of preliminary results, and keeps the last one as the output', async () => {
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
  ])('gives %s as plain JSON, to the person and to the model', async (_what, output, plain) => {
    const { run, model } = acting(() => output);
    const response = await run();
    expect(outcomeOf(response)).toMatchObject({ type: 'tool-output-available', output: plain });
    expect(model.calls).toHaveLength(2);
    expect(types(response).at(-1)).toBe('finish');
  });

  it('tells the model a result in the tool’s own way', async () => {
    const { run, model } = acting(() => ({ secret: 1 }), {
      tool: { toModelOutput: () => ({ type: 'text', value: 'a summary' }) } as Partial<Tool>,
    });
    expect(outcomeOf(await run())).toMatchObject({ output: { secret: 1 } });
    expect(model.calls[1]?.prompt.at(-1)?.content).toMatchObject([
      { output: { type: 'text', value: 'a summary' } },
    ]);
  });

  it('a result that cannot be told leaves the call done, and the model told so', async () => {
    const { run, model } = acting(() => 'paid', {
      tool: {
        toModelOutput: () => {
          throw new Error('Cannot say.');
        },
      } as Partial<Tool>,
    });
    expect(outcomeOf(await run())).toMatchObject({ type: 'tool-output-available', output: 'paid' });
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('The tool ran');
  });

  it('a `describe` or `summarize` that throws stops nothing', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const { run } = acting(() => ['a', 'b'], {
      gated: true,
      details: { describe: broken, summarize: broken },
    });
    const response = await run();
    expect(checkResponseTiming([response]).filter(({ rule }) => rule !== 'T3')).toEqual([]);
    expect(outcomeOf(response)).toMatchObject({ output: ['a', 'b'] });
    expect(
      response.find(
        (chunk) => chunk.type === 'data-tool-lifecycle' && JSON.stringify(chunk).includes('2 results'),
      ),
    ).toBeDefined();
  });
});
