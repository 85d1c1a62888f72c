import { generateText, isStepCount, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from '../../../lib/testing/collect.ts';
import { scriptedModel } from '../../../lib/testing/model/scripted-model.ts';
import type { ScriptedPart } from '../../../lib/testing/model/scripted-step.ts';
import { untilIdle } from '../../support/until-idle.ts';

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];

async function streamed(step: readonly ScriptedPart[]) {
  const { stream } = await scriptedModel([step]).doStream({ prompt });
  return collect(stream);
}

/** The parts of a step, without the frame that every step has. */
async function body(step: readonly ScriptedPart[]) {
  return (await streamed(step)).slice(2, -1);
}

describe('scriptedModel', () => {
  it('plays one step for each call and records its prompts', async () => {
    const model = scriptedModel([[{ call: 'add', input: { a: 1, b: 2 } }], [{ text: ['It is ', '3.'] }]]);
    const add = tool({
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: async ({ a, b }) => a + b,
    });
    const result = streamText({ model, prompt: 'Add 1 and 2', tools: { add }, stopWhen: isStepCount(3) });
    expect(await result.text).toBe('It is 3.');
    expect(model.calls).toHaveLength(2);
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolCallId: 'call-0-0', toolName: 'add', output: { type: 'json', value: 3 } }],
    });
  });

  it('creates a step with a function of the prompt and the call’s number', async () => {
    const model = scriptedModel((options, stepNumber) => [
      { text: `${options.prompt.length} ${stepNumber}` },
    ]);
    await generateText({ model, prompt: 'Hi' });
    const { text } = await generateText({ model, instructions: 'Be short.', prompt: 'Hi' });
    expect(text).toBe('2 1');
  });

  it('reports when the script is used up', async () => {
    const model = scriptedModel([[{ text: 'Once.' }]]);
    await model.doStream({ prompt });
    await expect(model.doStream({ prompt })).rejects.toThrow('has 1 steps, but the model was called 2 times');
  });

  it('sends a list of strings as one block of several deltas', async () => {
    expect(await body([{ reasoning: ['a', 'b'] }, { text: 'c' }])).toMatchObject([
      { type: 'reasoning-start', id: 'reasoning-0-0' },
      { type: 'reasoning-delta', delta: 'a' },
      { type: 'reasoning-delta', delta: 'b' },
      { type: 'reasoning-end', id: 'reasoning-0-0' },
      { type: 'text-start', id: 'text-0-1' },
      { type: 'text-delta', delta: 'c' },
      { type: 'text-end', id: 'text-0-1' },
    ]);
  });

  it('sends input that is not JSON unchanged', async () => {
    expect((await body([{ call: 'pay', rawInput: '{"to":', id: 'x' }])).at(-1)).toMatchObject({
      type: 'tool-call',
      toolCallId: 'x',
      toolName: 'pay',
      input: '{"to":',
    });
  });

  it('requests an approval like a provider', async () => {
    expect(
      await body([{ providerQuestion: 'mcp.search', input: { q: 'x' }, approvalId: 'theirs' }]),
    ).toMatchObject([
      { type: 'tool-call', toolCallId: 'call-0-0', providerExecuted: true, dynamic: true },
      { type: 'tool-approval-request', toolCallId: 'call-0-0', approvalId: 'theirs' },
    ]);
  });

  it.each([
    [
      { providerCall: 'web', result: { hits: 2 } },
      { result: { hits: 2 }, isError: false },
    ],
    [
      { providerCall: 'web', failure: 'down' },
      { result: 'down', isError: true },
    ],
  ])('runs a provider tool immediately: %o', async (part, result) => {
    expect(await body([part])).toMatchObject([
      { type: 'tool-call', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'call-0-0', ...result },
    ]);
  });

  it('returns the result of an earlier provider call', async () => {
    expect(await body([{ providerResult: 'p1', tool: 'mcp.search', result: 'found' }])).toMatchObject([
      { type: 'tool-result', toolCallId: 'p1', toolName: 'mcp.search', result: 'found' },
    ]);
  });

  it('sends sources and files', async () => {
    const parts = [
      { source: { url: 'https://example.com/', title: 'Example' } },
      { file: { mediaType: 'text/plain', base64: 'aGk=' } },
    ];
    expect(await body(parts)).toMatchObject([
      { type: 'source', sourceType: 'url', id: 'source-0-0', url: 'https://example.com/' },
      { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'aGk=' } },
    ]);
  });

  it.each([
    ['text', [{ text: 'Hi' }], 'stop'],
    ['nothing', [], 'stop'],
    ['a call', [{ call: 'pay' }], 'tool-calls'],
    ["a provider's question", [{ providerQuestion: 'mcp.x' }], 'stop'],
    ['an error', [{ error: new Error('down') }], 'error'],
    ['an override', [{ call: 'pay' }, { finish: 'length' as const }], 'length'],
  ])('finishes after %s like a provider', async (_name, step: readonly ScriptedPart[], unified) => {
    expect((await streamed(step)).at(-1)).toMatchObject({ type: 'finish', finishReason: { unified } });
  });

  it('reports the tokens that the script states', async () => {
    const model = scriptedModel([[{ text: 'Hi' }, { finish: 'stop', usage: { outputTokens: 7 } }]]);
    const { usage } = await generateText({ model, prompt: 'Hi' });
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 7 });
  });

  it('ends without a finish when the connection is cut', async () => {
    const parts = await streamed([{ text: 'Hi' }, { finish: 'never' }]);
    expect(parts.at(-1)).toMatchObject({ type: 'text-end' });
  });

  it('fails the request itself on reject', async () => {
    const model = scriptedModel([[{ reject: new Error('503') }]]);
    await expect(model.doStream({ prompt })).rejects.toThrow('503');
    expect(model.calls).toHaveLength(1);
  });

  it('holds back what follows a wait', async () => {
    const gate = Promise.withResolvers<void>();
    const { stream } = await scriptedModel([[{ text: 'a' }, { wait: gate.promise }, { text: 'b' }]]).doStream(
      {
        prompt,
      },
    );
    const reader = stream.getReader();
    let part = await reader.read();
    while (part.value?.type !== 'text-end') part = await reader.read();
    let passed = false;
    const next = reader.read().then((result) => {
      passed = true;
      return result.value;
    });
    await untilIdle();
    expect(passed).toBe(false);
    gate.resolve();
    expect(await next).toMatchObject({ type: 'text-start', id: 'text-0-2' });
  });

  it('breaks the stream when a wait fails', async () => {
    await expect(streamed([{ wait: Promise.reject(new Error('gate')) }])).rejects.toThrow('gate');
  });

  it('ends with the reason of an abort, also during a wait', async () => {
    const stop = new AbortController();
    const reached = Promise.withResolvers<void>();
    const wait = () => {
      reached.resolve();
      return new Promise(() => undefined);
    };
    const model = scriptedModel([[{ text: 'a' }, { wait }]]);
    const { stream } = await model.doStream({ prompt, abortSignal: stop.signal });
    const read = collect(stream);
    await reached.promise;
    stop.abort(new Error('stopped'));
    await expect(read).rejects.toThrow('stopped');
  });

  it('does not start if it is aborted before', async () => {
    const model = scriptedModel([[{ text: 'a' }]]);
    const abortSignal = AbortSignal.abort(new Error('stopped'));
    await expect(model.doStream({ prompt, abortSignal })).rejects.toThrow('stopped');
    expect(model.calls).toHaveLength(0);
  });

  it('can be cancelled during a wait', async () => {
    const never = new Promise(() => undefined);
    const { stream } = await scriptedModel([[{ wait: never }]]).doStream({ prompt });
    const reader = stream.getReader();
    await reader.read();
    await expect(reader.cancel()).resolves.toBeUndefined();
  });

  it('generates at once what it would stream', async () => {
    const step: ScriptedPart[] = [
      { reasoning: ['Hm', 'm.'] },
      { text: ['Let me ', 'look.'] },
      { source: { url: 'https://example.com/' } },
      { call: 'pay', input: { to: 'Alice' } },
    ];
    const result = await scriptedModel([step]).doGenerate({ prompt });
    expect(result).toMatchObject({
      content: [
        { type: 'reasoning', text: 'Hmm.' },
        { type: 'text', text: 'Let me look.' },
        { type: 'source', url: 'https://example.com/' },
        { type: 'tool-call', toolCallId: 'call-0-3', input: '{"to":"Alice"}' },
      ],
      finishReason: { unified: 'tool-calls' },
    });
  });

  it.each([
    ['an error part', [{ error: new Error('down') }], 'down'],
    ['a cut line', [{ text: 'a' }, { finish: 'never' as const }], 'without a finish reason'],
  ])('fails to generate on %s', async (_name, step: readonly ScriptedPart[], message) => {
    await expect(scriptedModel([step]).doGenerate({ prompt })).rejects.toThrow(message);
  });
});
