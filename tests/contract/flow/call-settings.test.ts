import { Output, parsePartialJson, type ToolSet, tool, type UIMessageChunk } from 'ai';
import { draftOf, fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { countingTools, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';
import { observeSdk } from '../../support/observe-sdk.ts';

const done: ScriptedStep = [{ text: 'Done.' }];
const logger = { warn: () => {}, error: () => {} };

/** All text of a response. */
function textOf(chunks: readonly UIMessageChunk[]): string {
  return chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join('');
}

/** The draft that a response leaves on a page. */
function draftIn(chunks: readonly UIMessageChunk[]): string {
  return draftOf(chunks.flatMap((chunk) => ('data' in chunk ? [chunk] : [])));
}

/** The options of the one model call that a message leads to. */
async function optionsOf(settings: object) {
  const { chat, model } = flowFixture([done], settings as Partial<FlowSettings>);
  await chat().say('Hi.');
  return model.calls[0];
}

describe('a model call', () => {
  it.each<[name: string, settings: object, options: object]>([
    ['maxOutputTokens', { maxOutputTokens: 7 }, { maxOutputTokens: 7 }],
    ['temperature', { temperature: 0.5 }, { temperature: 0.5 }],
    ['topP', { topP: 0.5 }, { topP: 0.5 }],
    ['topK', { topK: 5 }, { topK: 5 }],
    ['presencePenalty', { presencePenalty: 0.5 }, { presencePenalty: 0.5 }],
    ['frequencyPenalty', { frequencyPenalty: 0.5 }, { frequencyPenalty: 0.5 }],
    ['stopSequences', { stopSequences: ['END'] }, { stopSequences: ['END'] }],
    ['seed', { seed: 7 }, { seed: 7 }],
    ['reasoning', { reasoning: 'high' }, { reasoning: 'high' }],
    ['headers', { headers: { 'x-team': 'a' } }, { headers: expect.objectContaining({ 'x-team': 'a' }) }],
    ['providerOptions', { providerOptions: { p: { a: 1 } } }, { providerOptions: { p: { a: 1 } } }],
    ['toolChoice', { toolChoice: 'none' }, { toolChoice: { type: 'none' } }],
    ['activeTools', { activeTools: ['pay'] }, { tools: [expect.objectContaining({ name: 'pay' })] }],
    [
      'toolOrder',
      { activeTools: ['pay', 'search', 'weather'], toolOrder: ['weather'] },
      { tools: ['weather', 'pay', 'search'].map((name) => expect.objectContaining({ name })) },
    ],
    [
      'output',
      { output: Output.object({ schema: z.object({ city: z.string() }) }) },
      { responseFormat: expect.objectContaining({ type: 'json' }) },
    ],
    [
      'instructions',
      { instructions: 'Be brief.' },
      { prompt: expect.arrayContaining([{ role: 'system', content: 'Be brief.' }]) },
    ],
    ['include.rawChunks', { include: { rawChunks: true } }, { includeRawChunks: true }],
  ])('gets %s', async (_name, settings, options) => {
    expect(await optionsOf(settings)).toMatchObject(options);
  });

  it('is repeated as often as maxRetries says', async () => {
    const reject = Object.assign(new Error('down'), { statusCode: 503, isRetryable: true });
    const { chat, model } = flowFixture([[{ reject }]], { maxRetries: 0, logger });
    expect(types(await chat().say('Hi.')).at(-1)).toBe('error');
    expect(model.calls).toHaveLength(1);
  });

  it('may contain system messages of prepareStep, with allowSystemInMessages', async () => {
    const settings: Partial<FlowSettings> = {
      logger,
      prepareStep: ({ messages }) => ({ messages: [{ role: 'system', content: 'Now.' }, ...messages] }),
    };
    const allowed = flowFixture([done], { ...settings, allowSystemInMessages: true });
    expect(types(await allowed.chat().say('Hi.')).at(-1)).toBe('finish');
    expect(allowed.model.calls[0]?.prompt[0]).toMatchObject({ role: 'system', content: 'Now.' });
    const refused = flowFixture([done], settings);
    expect(types(await refused.chat().say('Hi.')).at(-1)).toBe('error');
    expect(refused.model.calls).toEqual([]);
  });

  it('lets repairToolCall repair a call', async () => {
    const { chat, ran } = flowFixture([[{ call: 'weather', rawInput: '{"city":' }], done], {
      repairToolCall: async ({ toolCall }) => ({ ...toolCall, input: '{"city":"Oslo"}' }),
    });
    await chat().say('Weather?');
    expect(ran).toMatchObject([{ tool: 'weather', input: { city: 'Oslo' } }]);
  });

  it('gets files from experimental_download', async () => {
    const asked: string[] = [];
    const { flow, chat, model } = flowFixture([done], {
      experimental_download: async (files) => {
        asked.push(...files.map(({ url }) => url.href));
        return files.map(() => ({ data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }));
      },
      prepareStep: () => ({
        messages: [
          {
            role: 'user',
            content: [{ type: 'file', data: new URL('https://files.test/a.png'), mediaType: 'image/png' }],
          },
        ],
      }),
    });
    await chat().say('Look.');
    expect(asked).toEqual(['https://files.test/a.png']);
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain('image/png');
    await flow.close();
  });

  it('is kept out of telemetry where tools have secrets', async () => {
    const starts: object[] = [];
    const integration = { onStart: (event: object) => void starts.push(event) };
    const { chat } = flowFixture([done], {
      plugins: [observeSdk({ integrations: [integration] })],
      toolDetails: { pay: { secrets: { input: ['to'] } } },
    });
    await chat().say('The code is 4711.');
    expect(starts).toHaveLength(1);
    expect(JSON.stringify(starts)).not.toContain('4711');
  });
});

describe('structured output', () => {
  it('streams as text, which `output` and `parsePartialJson` read', async () => {
    const output = Output.object({ schema: z.object({ city: z.string(), days: z.number() }) });
    const { chat } = flowFixture([[{ text: ['{"city":"Os', 'lo","days":', '3}'] }]], { output });
    const response = await chat().say('Where to?');
    const deltas = response.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []));
    expect((await parsePartialJson(deltas[0])).value).toMatchObject({ city: expect.any(String) });
    const complete = await output.parseCompleteOutput({ text: textOf(response) }, {} as never);
    expect(complete).toEqual({ city: 'Oslo', days: 3 });
    const view = await chat().view();
    expect(JSON.stringify(view.messages.at(-1)?.parts)).toContain('Oslo');
  });
});

describe('experimental_transform', () => {
  const upperCase = () =>
    new TransformStream({
      transform: (part, controller) =>
        controller.enqueue(part.type === 'text-delta' ? { ...part, text: part.text.toUpperCase() } : part),
    });

  it('changes text for people, for the model and for the log', async () => {
    const { model, say, view } = flowFixture([[{ text: 'one' }], done], {
      experimental_transform: [upperCase],
    });
    expect(textOf(await say('Hi.'))).toBe('ONE');
    expect(JSON.stringify(await view())).toContain('ONE');
    await say('Again.');
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('ONE');
  });

  it.each<[what: string, change: (part: Record<string, unknown>) => object | undefined]>([
    ['drops', () => undefined],
    ['renames', (part) => ({ ...part, toolName: 'theme' })],
  ])('fails the turn if it %s a tool call, because no gate has judged the result', async (_what, change) => {
    const transform = () =>
      new TransformStream({
        transform(part, controller) {
          const next = part.type === 'tool-call' ? change(part) : part;
          if (next) controller.enqueue(next);
        },
      });
    const { chat, ran } = flowFixture([[{ call: 'weather', input: { city: 'Oslo' } }], done], {
      experimental_transform: transform,
      logger,
    });
    expect(types(await chat().say('Go.')).at(-1)).toBe('error');
    expect(ran).toEqual([]);
  });

  it('may pass on copies of tool calls', async () => {
    const copying = () =>
      new TransformStream({ transform: (part, controller) => controller.enqueue({ ...part }) });
    const script: ScriptedStep[] = [[{ call: 'weather', input: { city: 'Oslo' } }], done];
    const { chat, ran } = flowFixture(script, { experimental_transform: copying });
    expect(types(await chat().say('Go.')).at(-1)).toBe('finish');
    expect(ran).toHaveLength(1);
  });
});

describe('streamRetries', () => {
  const broken: ScriptedStep = [{ text: 'Half. ' }, { error: new Error('cut') }];

  it.each(['final', 'progressive'] as const)('streams a broken step again (%s)', async (release) => {
    const { model, say, view } = flowFixture([broken, [{ text: 'Whole.' }], done], {
      streamRetries: 1,
      release,
    });
    const response = await say('Hi.');
    expect(types(response).at(-1)).toBe('finish');
    const shown = (await view()).messages.at(-1)?.parts.filter(({ type }) => type === 'text');
    expect(shown).toMatchObject([{ text: 'Whole.' }]);
    await say('Again.');
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).not.toContain('Half.');
  });

  it('takes the draft of the broken attempt back, for all who read, and in the stored chat', async () => {
    const asked: ScriptedStep = [{ text: 'Whole. ' }, { call: 'pay', input: { to: 'bob', amount: 1 } }];
    const { say, view, resume, answer } = flowFixture(
      [[{ text: 'Before. ' }, ...broken], asked, [{ text: 'Paid.' }]],
      {
        streamRetries: 1,
      },
    );
    const response = await say('Hi.');
    const drafts = response.flatMap((chunk) => (chunk.type === 'data-draft' ? [chunk.data] : []));
    expect(drafts).toEqual([
      { textId: '0.text.text-0-0', delta: 'Before. ', position: 4 },
      { textId: '0.text.text-0-1', delta: 'Half. ', position: 5 },
      { textId: '0.text.text-0-0', delta: '', reset: true },
      { textId: '0.text.text-0-1', delta: '', reset: true },
      { textId: '0.text.text-1-0', delta: 'Whole. ', position: 7 },
    ]);
    expect(draftIn(response)).toBe('Whole. ');
    expect(draftIn((await resume()) ?? [])).toBe('Whole. ');
    expect(await view()).toMatchObject({ draft: 'Whole. ' });
    const last = await answer(questionIn(response), true);
    expect(draftIn(last)).toBe('Whole. Paid.');
  });

  it('retries only as often as it says', async () => {
    const { chat, model } = flowFixture([broken, broken, done], { streamRetries: 1, logger });
    expect(types(await chat().say('Hi.')).at(-1)).toBe('error');
    expect(model.calls).toHaveLength(2);
  });
});

describe('toolCallConcurrency', () => {
  const cities = ['Oslo', 'Rome', 'Bern'];
  const script: ScriptedStep[] = [
    cities.map((city) => ({ call: 'look', id: `in-${city}`, input: { city } })),
    done,
  ];

  /** A flow whose calls end one by one, when the test says so. */
  function looking(limit: number | undefined) {
    const running: { city: string; end: () => void; aborted: Promise<void> }[] = [];
    const began: string[] = [];
    const waiting: (() => void)[] = [];
    const look = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }, { abortSignal }) =>
        new Promise<string>((resolve) => {
          began.push(city);
          const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
          abortSignal?.addEventListener('abort', () => abort());
          running.push({ city, end: () => resolve(city), aborted });
          for (const wake of waiting.splice(0)) wake();
        }),
    });
    const { chat, store } = flowFixture(script, {
      tools: { look } as ToolSet,
      ...(limit === undefined ? {} : { toolCallConcurrency: limit }),
    });
    const whenBegan = async (count: number) => {
      while (began.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    return { chat: chat(), store, began, running, whenBegan };
  }

  it('runs at most that many calls at a time, in order, and starts each only when it runs', async () => {
    const { chat, store, began, running, whenBegan } = looking(2);
    const response = chat.say('Look.');
    await whenBegan(2);
    const started = (await store.events.read(chat.id, 0)).filter(({ type }) => type === 'tool-started');
    expect(started).toHaveLength(2);
    expect(began).toEqual(['Oslo', 'Rome']);
    running[1]?.end();
    await whenBegan(3);
    expect(began).toEqual(['Oslo', 'Rome', 'Bern']);
    running[0]?.end();
    running[2]?.end();
    expect(types(await response).at(-1)).toBe('finish');
  });

  it('does not start the calls that still wait when the turn is stopped', async () => {
    const { chat, store, began, running, whenBegan } = looking(1);
    const response = chat.say('Look.');
    await whenBegan(1);
    const stopped = chat.stop();
    await running[0]?.aborted;
    running[0]?.end();
    await stopped;
    await response;
    expect(began).toEqual(['Oslo']);
    const ends = (await store.events.read(chat.id, 0)).filter(({ type }) => type === 'tool-cancelled');
    expect(ends.length).toBeGreaterThanOrEqual(2);
  });
});

describe('timeout', () => {
  const slow = () => new Promise<string>(() => {});
  const endless: ScriptedStep = [{ text: 'Hm. ' }, { wait: slow }, { text: 'Never.' }];
  const shownEnd = { type: 'error', errorText: 'The answer took too long. Try again.' };

  it.each<[name: string, timeout: FlowSettings['timeout']]>([
    ['a number', 500],
    ['totalMs', { totalMs: 500 }],
    ['stepMs', { stepMs: 500 }],
  ])('ends a turn whose model takes longer (%s)', async (_name, timeout) => {
    const clock = fakeClock();
    const { say, events } = flowFixture([endless], { timeout, clock, logger });
    const response = say('Hi.');
    await clock.timer(500);
    clock.advance(500);
    expect((await response).at(-1)).toEqual(shownEnd);
    expect((await events()).at(-1)).toMatchObject({ type: 'run-failed' });
  });

  it.each<[name: string, timeout: FlowSettings['timeout'], step: ScriptedStep]>([
    ['firstChunkMs', { firstChunkMs: 1 }, [{ wait: slow }]],
    ['chunkMs', { chunkMs: 1 }, endless],
  ])('ends a turn whose model pauses for longer (%s)', async (_name, timeout, step) => {
    const { chat } = flowFixture([step], { timeout, logger });
    expect((await chat().say('Hi.')).at(-1)).toEqual(shownEnd);
  });

  it('ends a turn whose step takes longer with its calls', async () => {
    const clock = fakeClock();
    const started = Promise.withResolvers<AbortSignal | undefined>();
    const stall = tool({
      inputSchema: z.object({}),
      execute: (_input, { abortSignal }) => {
        started.resolve(abortSignal);
        return new Promise<string>((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
        });
      },
    });
    const { chat } = flowFixture([[{ call: 'stall' }], done], {
      tools: { stall } as ToolSet,
      timeout: { stepMs: 500 },
      clock,
      logger,
    });
    const response = chat().say('Go.');
    const signal = await started.promise;
    clock.advance(500);
    expect(signal?.aborted).toBe(true);
    expect((await response).at(-1)).toEqual(shownEnd);
  });

  it.each<[name: string, timeout: FlowSettings['timeout']]>([
    ['toolMs', { toolMs: 1 }],
    ['tools', { toolMs: 60_000, tools: { stallMs: 1 } }],
  ])('limits a tool (%s)', async (_name, timeout) => {
    const stall = tool({ inputSchema: z.object({}), execute: slow });
    const tools = { stall } as ToolSet;
    const { say, events } = flowFixture([[{ call: 'stall' }], done], { tools, timeout });
    expect(types(await say('Go.')).at(-1)).toBe('finish');
    expect((await events()).find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'unknown' });
  });
});

describe('experimental_refineToolInput', () => {
  const { tools } = countingTools();
  const refined = { weather: ({ city }: { city: string }) => ({ city: city.trim() }) };

  it('changes what a tool gets, and the log records what was given and what ran', async () => {
    const { ran, say, events } = flowFixture([[{ call: 'weather', input: { city: ' Oslo ' } }], done], {
      experimental_refineToolInput: refined as FlowSettings['experimental_refineToolInput'],
    });
    await say('Weather?');
    expect(ran).toMatchObject([{ input: { city: 'Oslo' } }]);
    expect((await events()).find(({ type }) => type === 'tool-requested')).toMatchObject({
      input: { city: ' Oslo ' },
      runsAs: { city: 'Oslo' },
    });
  });

  it('that fails, fails its call', async () => {
    const failing = async () => {
      throw new Error('No such city.');
    };
    const { chat, ran } = flowFixture([[{ call: 'weather', input: { city: 'Oslo' } }], done], {
      experimental_refineToolInput: { weather: failing } as FlowSettings['experimental_refineToolInput'],
    });
    expect(types(await chat().say('Weather?'))).toContain('tool-input-error');
    expect(ran).toEqual([]);
  });

  it.each<[what: string, settings: object]>([
    ['a tool that asks', { tools, experimental_refineToolInput: { pay: (input: unknown) => input } }],
    [
      'a tool that a function may ask about',
      { tools, toolApproval: () => undefined, experimental_refineToolInput: refined },
    ],
    ['a tool that is not known yet', { tools, dynamicTools: true, experimental_refineToolInput: refined }],
  ])('is refused for %s', (_what, settings) => {
    expect(() => flowFixture([], settings as Partial<FlowSettings>)).toThrow(
      /experimental_refineToolInput\.\w+` is refused/,
    );
  });
});

it('the id of the agent is the flow’s', () => {
  expect(flowFixture([], { id: 'payments' }).flow.id).toBe('payments');
});
