import { OpenTelemetry } from '@ai-sdk/otel';
import { context, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { type TelemetryOptions, type ToolSet, tool } from 'ai';
import { telemetry } from 'countersign/plugins/telemetry';
import { sqliteStore } from 'countersign/store';
import { expect } from 'vitest';
import { z } from 'zod';
import type { ChatId } from '../../lib/protocol/index.ts';
import { adr } from '../support/adr.ts';
import { deploys } from '../support/deploys.ts';
import { type FixtureSettings, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { recordTelemetry } from '../support/record-telemetry.ts';

const { clause } = adr('0033-telemetry.md');

const call = [{ call: 'pay', id: 'pay-1', input: { to: 'alice', amount: 5 } }];
const done = [{ text: 'Done.' }];
const quiet = { warn: () => {}, error: () => {} };

const traceOf = (span: ReadableSpan | undefined) => span?.spanContext().traceId;
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;

/** Two deployments of one app: the first one asks, and the second one gets the answer. Each has a request of its own. */
async function answeredElsewhere(options: TelemetryOptions = {}) {
  const settings = { plugins: [telemetry(options)] };
  const recorded = recordTelemetry();
  const { deploy, path } = deploys();
  const asking = deploy('one', [call], settings);
  const { say, id: chatId } = asking.chat();
  const id = questionIn(await recorded.request('POST message', () => say('Pay.')));
  await asking.flow.close();
  const other = deploy('two', [done], settings);
  await recorded.request('POST answer', () => other.chat().answer(id, true));
  await other.flow.close();
  return { ...recorded, chatId, path };
}

clause('0033.1', async () => {
  const { named, chatId, path } = await answeredElsewhere();
  const [turn, ...others] = named('countersign.turn');
  const runs = named('countersign.run');
  expect(others).toEqual([]);
  expect(runs.map(parentOf)).toEqual([idOf(turn), idOf(turn)]);
  expect(runs.map(({ attributes }) => attributes['countersign.run.end'])).toEqual(['suspended', 'completed']);
  const log = await sqliteStore({ path }).events.read(chatId, 0);
  const starts = log.filter((event) => event.type === 'run-started');
  const traceparent = `00-${traceOf(turn)}-${idOf(turn)}-01`;
  expect(starts.map((event) => event.plugins)).toEqual([{ telemetry: { traceparent } }, undefined]);

  // Rejected: a run belongs to the request that started it. The two requests have nothing in common.
  const requests = [...named('POST message'), ...named('POST answer')];
  expect(new Set(requests.map(traceOf)).size).toBe(2);
});

clause('0033.2', async () => {
  const { named } = await answeredElsewhere();
  const [first, second] = named('countersign.run');
  const [message] = named('POST message');
  const [answer] = named('POST answer');
  expect(traceOf(first)).toBe(traceOf(message));
  expect(first?.links).toEqual([]);
  expect(second?.links.map(({ context: { spanId } }) => spanId)).toEqual([idOf(answer)]);
});

clause('0033.3', async () => {
  const { named, childrenOf } = await answeredElsewhere({ integrations: [new OpenTelemetry()] });
  const [asking, answered] = named('countersign.run');
  if (!asking || !answered) throw new Error('There are no runs.');
  expect(childrenOf(asking).map(({ name }) => name)).toEqual(['countersign.step']);
  expect(childrenOf(answered).map(({ name }) => name)).toEqual(['execute_tool pay', 'countersign.step']);
  for (const step of named('countersign.step')) {
    const [agent] = childrenOf(step);
    expect(agent?.name).toMatch(/^invoke_agent/);
    expect(step.attributes).toMatchObject({ 'countersign.step.finish_reason': expect.any(String) });
  }
});

clause('0033.4', async () => {
  const { deploy, path } = deploys();
  const plugins = [telemetry()];
  const logOf = async (id: ChatId) => JSON.stringify(await sqliteStore({ path }).events.read(id, 0));
  const unregistered = deploy('one', [done], { plugins }).chat('unregistered');
  await unregistered.say('Hi.');
  expect(await logOf(unregistered.id)).not.toContain('trace');

  const { spans } = recordTelemetry();
  const off = deploy('two', [done], { plugins: [telemetry({ isEnabled: false })] }).chat('off');
  await off.say('Hi.');
  const without = deploy('three', [done]).chat('without');
  await without.say('Hi.');
  expect(spans()).toEqual([]);
  expect((await logOf(off.id)) + (await logOf(without.id))).not.toContain('trace');

  const on = deploy('four', [done], { plugins }).chat('on');
  await on.say('Hi.');
  expect(await logOf(on.id)).toContain('traceparent');
  expect(JSON.stringify(await on.events())).not.toContain('traceparent');
});

clause('0033.5', async () => {
  const { named } = recordTelemetry();
  const attempts: [TelemetryOptions, FixtureSettings['toolDetails'], string[]][] = [
    [{}, {}, ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result']],
    [{ recordInputs: false }, {}, ['gen_ai.tool.call.result']],
    [{ recordOutputs: false }, {}, ['gen_ai.tool.call.arguments']],
    [{ recordInputs: true }, { pay: { secrets: { input: ['to'] } } }, []],
    [{ recordOutputs: true }, { search: { secrets: { output: [''] } } }, []],
  ];
  for (const [options, toolDetails, shown] of attempts) {
    const plugins = [telemetry(options)];
    const { say, answer } = flowFixture([call, done], { plugins, toolDetails }).chat();
    await answer(questionIn(await say('Pay.')), true);
    const attributes = named('execute_tool pay').at(-1)?.attributes ?? {};
    expect(Object.keys(attributes).filter((name) => /arguments|result/.test(name))).toEqual(shown);
  }
});

clause('0033.6', async () => {
  const { points } = recordTelemetry();
  const { deploy, clock } = deploys();
  const plugins = [telemetry()];
  const [asking, other] = [
    deploy('one', [call, done], { plugins }),
    deploy('two', [call, done], { plugins }),
  ];
  const id = questionIn(await asking.chat().say('Pay.'));
  // Both instances follow the chat. Only the one that takes the answer writes it.
  const [following] = [
    other.flow.chats.resume({ chatId: asking.chat().id, principal: { id: 'ada', name: 'Ada' } }),
  ];
  await following;
  clock.advance(90_000);
  await asking.chat().answer(id, false);
  await asking.chat().answer(id, false);
  const pay = { 'gen_ai.tool.name': 'pay' };
  const denied = { ...pay, 'countersign.question.outcome': 'denied' };
  expect(await points('countersign.questions.opened')).toEqual([{ ...pay, value: 1 }]);
  expect(await points('countersign.questions.settled')).toEqual([{ ...denied, value: 1 }]);
  expect(await points('countersign.question.wait')).toEqual([{ ...denied, value: 90 }]);
  expect(await points('countersign.calls.ended')).toEqual([
    { ...pay, 'countersign.call.outcome': 'denied', value: 1 },
  ]);

  // Rejected: counted where it is seen. Every instance that follows the chat would count it.
  const seen = await Promise.all([asking, other].map(async ({ chat }) => (await chat().view()).questions));
  expect(seen.flat().filter(({ state }) => state === 'denied')).toHaveLength(2);
});

clause('0033.7', async () => {
  const fail = () => {
    throw new Error('The telemetry of the app is broken.');
  };
  const { spans } = recordTelemetry({
    processors: [{ onStart: fail, onEnd: fail, forceFlush: async () => {}, shutdown: async () => {} }],
  });
  const { ran, say, answer, view } = flowFixture([call, done], { logger: quiet, plugins: [telemetry()] });
  await answer(questionIn(await say('Pay.')), true);
  expect((await view()).run.status).toBe('idle');
  expect(ran).toHaveLength(1);
  expect(spans()).toEqual([]);
  expect(() => trace.getTracer('app').startSpan('its own')).toThrow('broken');
});

clause('0033.8', async () => {
  const { named, childrenOf } = recordTelemetry();
  const inside: (string | undefined)[] = [];
  const lookAround = tool({
    inputSchema: z.object({}),
    async *execute() {
      const here = () => trace.getSpanContext(context.active())?.spanId;
      inside.push(here());
      await Promise.resolve();
      trace.getTracer('database').startSpan('SELECT').end();
      yield 'Looking.';
      inside.push(here());
      yield 'Seen.';
    },
  });
  const steps = [[{ call: 'lookAround', id: 'look-1', input: {} }], done];
  const { chat } = flowFixture(steps, {
    tools: { lookAround } as ToolSet,
    plugins: [telemetry()],
  });
  await chat().say('Look.');
  const [attempt] = named('execute_tool lookAround');
  if (!attempt) throw new Error('The call has no span.');
  expect(inside).toEqual([idOf(attempt), idOf(attempt)]);
  expect(childrenOf(attempt).map(({ name }) => name)).toEqual(['SELECT']);
});
