import { Output, type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { callbackNames } from '../../../lib/settings/call/callbacks.ts';
import { ada, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';

type Settings = Partial<FlowSettings>;
type Seen = { readonly name: string; readonly event: Record<string, unknown> };

const done: ScriptedStep = [{ text: 'Done.' }];
const weather = { call: 'weather', input: { city: 'Oslo' } };
const pay = { call: 'pay', input: { to: 'Alice', amount: 5 } };
const quiet = { warn: () => {}, error: () => {} };

/** A flow that records its callbacks. `until` resolves with the first event of a name that has not been taken. */
function observed(script: ScriptedStep[], settings: Settings = {}, names: readonly string[] = callbackNames) {
  const seen: Seen[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  const callbacks = Object.fromEntries(
    names.map((name) => [
      name,
      (event: Record<string, unknown>) => {
        seen.push({ name, event });
        for (const wake of waiting.splice(0)) wake();
      },
    ]),
  );
  const fixture = flowFixture(script, { ...callbacks, ...settings });
  return {
    ...fixture,
    seen,
    namesSeen: () => seen.map(({ name }) => name).filter((name) => name !== 'onChunk'),
    async until(name: string): Promise<Record<string, unknown>> {
      for (;;) {
        const index = seen.findIndex((one, place) => place >= taken && one.name === name);
        const found = seen[index];
        if (found) {
          taken = index + 1;
          return found.event;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

describe('the callbacks of the agent', () => {
  it('are called in order, with the place in the chat', async () => {
    const { chat, seen, namesSeen, until } = observed([[weather], done]);
    await chat().say('Weather?');
    await until('onEnd');
    expect(namesSeen()).toEqual([
      ...['onStart', 'onStepStart', 'onLanguageModelCallStart', 'onLanguageModelCallEnd', 'onStepEnd'],
      ...['onToolExecutionStart', 'onToolExecutionEnd'],
      ...['onStepStart', 'onLanguageModelCallStart', 'onLanguageModelCallEnd', 'onStepEnd'],
      'onEnd',
    ]);
    const runId = seen[0]?.event.runId;
    for (const { event } of seen) expect(event).toMatchObject({ chatId: 'chat', runId });
    const called = seen.filter(({ name }) => name !== 'onChunk');
    for (const { event } of called) expect(event.callId).toBe(runId);
    expect(seen.filter(({ name }) => name === 'onChunk').length).toBeGreaterThan(3);
  });

  it('count the steps of the turn', async () => {
    const { chat, seen, until } = observed([[weather], done]);
    await chat().say('Weather?');
    await until('onEnd');
    const of = (name: string) => seen.filter((one) => one.name === name).map(({ event }) => event.stepNumber);
    expect(of('onStepStart')).toEqual([0, 1]);
    expect(of('onStepEnd')).toEqual([0, 1]);
    const [, second] = seen.filter(({ name }) => name === 'onStepStart');
    expect(second?.event.steps).toMatchObject([{ toolResults: [{ output: 'Sunny in Oslo' }] }]);
    const [first] = seen.filter(({ name }) => name === 'onStepEnd');
    expect(first?.event).toMatchObject({ finishReason: 'tool-calls', toolCalls: [{ toolName: 'weather' }] });
  });

  it('get a tool’s arguments, context, result and duration', async () => {
    const { chat, until } = observed([[weather], done], {
      toolsContext: { weather: { unit: 'C' } },
    });
    await chat().say('Weather?');
    const toolCall = { type: 'tool-call', toolName: 'weather', input: { city: 'Oslo' } };
    const toolContext = { unit: 'C', chatId: 'chat', principal: { id: 'ada' } };
    expect(await until('onToolExecutionStart')).toMatchObject({ toolCall, toolContext });
    expect(await until('onToolExecutionEnd')).toMatchObject({
      toolCall,
      toolOutput: { type: 'tool-result', output: 'Sunny in Oslo' },
      toolExecutionMs: expect.any(Number),
    });
  });

  it('get the messages that the tool gets', async () => {
    const roles: string[][] = [];
    const { chat } = flowFixture([[weather], done], {
      onToolExecutionStart: ({ messages }) => void roles.push(messages.map(({ role }) => role)),
    });
    await chat().say('Weather?');
    expect(roles).toEqual([['user', 'assistant']]);
  });

  it('get a tool’s error, also of a call that is no longer waited for', async () => {
    const failing = tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        throw new Error('No line.');
      },
    });
    const stalling = tool({ inputSchema: z.object({}), execute: () => new Promise<string>(() => {}) });
    const { chat, until } = observed([[{ call: 'failing' }], [{ call: 'stalling' }], done], {
      tools: { failing, stalling } as ToolSet,
      timeout: { tools: { stallingMs: 1 } },
    });
    await chat().say('Go.');
    const error = expect.objectContaining({ message: 'No line.' });
    expect(await until('onToolExecutionEnd')).toMatchObject({ toolOutput: { type: 'tool-error', error } });
    expect(await until('onToolExecutionEnd')).toMatchObject({
      toolOutput: { type: 'tool-error', error: expect.objectContaining({ name: 'TimeoutError' }) },
    });
  });
});

describe('onEnd', () => {
  it('gets the messages, the usage and the steps of the whole turn, once, after the last answer', async () => {
    const usage = { inputTokens: 10, outputTokens: 2 };
    const { namesSeen, until, say, answer, view } = observed([
      [pay, { usage }],
      [{ text: 'Paid.' }, { usage }],
    ] as ScriptedStep[]);
    const question = questionIn(await say('Pay.'));
    await until('onQuestion');
    expect(namesSeen()).not.toContain('onEnd');
    await answer(question, true);
    const end = await until('onEnd');
    expect(end).toMatchObject({
      text: 'Paid.',
      finishReason: 'stop',
      steps: [{ toolResults: [{ output: { paid: 5 } }] }, { text: 'Paid.' }],
      toolCalls: [{ toolName: 'pay' }],
      responseMessages: [{ role: 'assistant' }, { role: 'assistant' }],
    });
    const stored = (await view()).messages;
    expect(end.messages).toMatchObject(stored.map(({ id, role }) => ({ id, role })));
    expect(JSON.stringify(end.messages)).toContain('Paid.');
    expect(namesSeen().filter((name) => name === 'onStart')).toHaveLength(1);
    expect(namesSeen().filter((name) => name === 'onEnd')).toHaveLength(1);
  });

  it('gets the structured output', async () => {
    const output = Output.object({ schema: z.object({ city: z.string() }) });
    const { until, say } = observed([[{ text: '{"city":"Oslo"}' }], [{ text: 'Hm.' }]], { output });
    await say('Where?');
    expect(await until('onEnd')).toMatchObject({ output: { city: 'Oslo' } });
    await say('Again.');
    expect((await until('onEnd')).output).toBeUndefined();
  });
});

describe('onQuestion and onAnswer', () => {
  it('get the question, redacted, and who answered it, from the chat or outside', async () => {
    const { flow, until, seen, say, answer, resume } = observed([[pay, { ...pay, id: 'second' }], done], {
      toolDetails: { pay: { secrets: { input: ['to'] }, describe: () => 'Pay.' } },
    });
    const question = questionIn(await say('Pay.'));
    expect(await until('onQuestion')).toMatchObject({
      chatId: 'chat',
      question: { id: question, toolName: 'pay', state: 'open', description: 'Pay.' },
    });
    const second = questionIn(await answer(question, false, { reason: 'No.' }));
    const byAda = { by: { id: 'ada', name: 'Ada' } };
    expect(await until('onAnswer')).toMatchObject({
      question: { id: question },
      answer: { approved: false, reason: 'No.', ...byAda },
    });
    await until('onQuestion');
    await flow.approvals.answer({
      principal: ada,
      approvalId: second as never,
      approved: true,
      via: 'inbox',
    });
    expect(await until('onAnswer')).toMatchObject({ answer: { approved: true, via: 'inbox', ...byAda } });
    await resume();
    const questions = seen.filter(({ name }) => name === 'onQuestion');
    expect(JSON.stringify(questions)).not.toContain('Alice');
  });
});

it('callbacks about one chat are called in the order of its log, however long their events take to make', async () => {
  const inner = sqliteStore({ path: ':memory:' });
  const slow = Promise.withResolvers<void>();
  let reads = 0;
  const store = {
    ...inner,
    questions: {
      ...inner.questions,
      async read(...args: Parameters<typeof inner.questions.read>) {
        const isFirst = reads === 0;
        reads += 1;
        if (isFirst) await slow.promise;
        return inner.questions.read(...args);
      },
    },
  };
  const { namesSeen, until, say, stop } = observed([[pay], done], { store }, ['onQuestion', 'onAbort']);
  await say('Pay.');
  await stop();
  slow.resolve();
  await until('onAbort');
  expect(namesSeen()).toEqual(['onQuestion', 'onAbort']);
});

describe('onError, onStepError and onAbort', () => {
  it('get the error of a failed model call, once', async () => {
    const { chat, until, namesSeen, flow } = observed([[{ reject: new Error('down') }]], { logger: quiet });
    expect(types(await chat().say('Hi.')).at(-1)).toBe('error');
    const error = expect.objectContaining({ message: 'down' });
    expect(await until('onStepError')).toMatchObject({ stepNumber: 0, error });
    expect(await until('onError')).toMatchObject({ error });
    await flow.close();
    expect(namesSeen().filter((name) => name === 'onError')).toHaveLength(1);
    expect(namesSeen()).not.toContain('onEnd');
  });

  it('onError may ask for one more retry with streamRetries', async () => {
    const broken: ScriptedStep = [{ text: 'Half.' }, { error: new Error('cut') }];
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => {
      errors.push(error);
      return { retry: true as const };
    };
    const settings: Settings = { streamRetries: 0, onError, logger: quiet };
    const recovering = flowFixture([broken, done], settings);
    expect(types(await recovering.chat().say('Hi.')).at(-1)).toBe('finish');
    const failing = flowFixture([broken, broken, done], settings);
    expect(types(await failing.chat().say('Hi.')).at(-1)).toBe('error');
    expect(errors).toHaveLength(3);
  });

  it('onAbort gets the steps of a turn that was stopped, running or waiting', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const running = observed([[weather], [{ wait: () => never }]]);
    const response = running.chat().say('Weather?');
    while ((await running.until('onStepStart')).stepNumber !== 1);
    await running.chat().stop();
    await response;
    expect(await running.until('onAbort')).toMatchObject({
      reason: 'stopped',
      steps: [{ stepNumber: 0 }],
    });

    const waiting = observed([[pay], done]);
    const { say, stop } = waiting.chat();
    await say('Pay.');
    await stop();
    expect(await waiting.until('onAbort')).toMatchObject({ reason: 'stopped', steps: [{ stepNumber: 0 }] });
  });

  it('onAbort, and not onError, gets a time limit', async () => {
    const clock = fakeClock();
    const { promise: never } = Promise.withResolvers<never>();
    const { chat, until, namesSeen, flow } = observed([[{ wait: () => never }]], {
      timeout: 500,
      clock,
      logger: quiet,
    });
    const response = chat().say('Hi.');
    await clock.timer(500);
    clock.advance(500);
    await response;
    expect(await until('onAbort')).toMatchObject({ reason: expect.objectContaining({ name: 'TimedOut' }) });
    await flow.close();
    expect(namesSeen()).not.toContain('onError');
  });
});

describe('a callback', () => {
  it.each<[what: string, fail: () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('Alice is unknown.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('Alice is unknown.'))],
    ['never ends', () => new Promise(() => {})],
  ])('that %s changes nothing', async (what, fail) => {
    const lines: string[] = [];
    const keep = (message: string, facts: object) => void lines.push(`${message} ${JSON.stringify(facts)}`);
    const failing = Object.fromEntries(callbackNames.map((name) => [name, fail]));
    const { ran, say, answer } = flowFixture([[weather, pay], done], {
      ...failing,
      logger: { warn: keep, error: keep },
    } as Settings);
    const question = questionIn(await say('Go.'));
    expect(types(await answer(question, true)).at(-1)).toBe('finish');
    expect(ran.map(({ tool: name }) => name)).toEqual(['weather', 'pay']);
    expect(lines.some((line) => line.startsWith('A callback failed.'))).toBe(what !== 'never ends');
    expect(lines.join()).not.toContain('Alice');
  });

  it('is waited for when the flow closes', async () => {
    const ended = Promise.withResolvers<void>();
    let isDone = false;
    const { chat, flow } = flowFixture([done], {
      onEnd: async () => {
        await ended.promise;
        isDone = true;
      },
    });
    await chat().say('Hi.');
    const closed = flow.close();
    ended.resolve();
    await closed;
    expect(isDone).toBe(true);
  });
});
