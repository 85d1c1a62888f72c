import { hasToolCall, isStepCount, type StepResult, type ToolSet } from 'ai';
import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { checkResponseTiming, fakeClock, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { adr } from '../support/adr.ts';
import { clientMessage } from '../support/client-message.ts';
import { countingTools, flowFixture, questionIn, types } from '../support/flow-fixture.ts';
import { replayedApprovals } from './rejected/replayed-approvals.ts';

const { clause } = adr('0008-steps-read-back-from-the-log.md');

type Steps = readonly StepResult<ToolSet>[];

const twoQuestions: ScriptedStep[] = [
  [
    { reasoning: 'Where are they?' },
    { text: 'Let me look.' },
    { call: 'search', id: 'search', input: { query: 'users' } },
    { finish: 'tool-calls', usage: { inputTokens: 100, outputTokens: 7 } },
  ],
  [{ text: 'Found one.' }, { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'Paid.' }],
];
const pay = { call: 'pay', input: { to: 'Alice', amount: 1 } };

/** Settings that record the steps they get. */
function observing() {
  const seen: { stopWhen: Steps[]; prepareStep: Steps[]; numbers: number[] } = {
    stopWhen: [],
    prepareStep: [],
    numbers: [],
  };
  const settings: Partial<FlowSettings> = {
    clock: fakeClock(),
    stopWhen: ({ steps }) => {
      seen.stopWhen.push(structuredClone(steps));
      return false;
    },
    prepareStep: ({ steps, stepNumber }) => {
      seen.prepareStep.push(structuredClone(steps));
      seen.numbers.push(stepNumber);
      return undefined;
    },
  };
  return { seen, settings };
}

/** One turn with two questions. With a restart, each answer goes to a new flow. */
async function turn(restarts: boolean) {
  const { seen, settings } = observing();
  const store = sqliteStore({ path: ':memory:' });
  const start = (step: number) => flowFixture(twoQuestions.slice(step), { ...settings, store });
  let fixture = start(0);
  let response = await fixture.chat().say('Find users, then pay.');
  for (const step of [1, 2]) {
    if (restarts) {
      await fixture.flow.close();
      fixture = start(step);
    }
    response = await fixture.chat().answer(questionIn(response), step === 1);
  }
  await fixture.flow.close();
  return seen;
}

clause('0008.1', async () => {
  const straight = await turn(false);
  expect(straight.prepareStep.map(({ length }) => length)).toEqual([0, 1, 2]);
  expect(straight.stopWhen.map(({ length }) => length)).toEqual([1, 2]);
  expect(await turn(true)).toEqual(straight);
});

clause('0008.2', async () => {
  const [first, second] = (await turn(true)).stopWhen.at(-1) ?? [];
  expect(first).toMatchObject({
    stepNumber: 0,
    text: 'Let me look.',
    toolCalls: [{ toolName: 'search', input: { query: 'users' } }],
    toolResults: [{ toolName: 'search', output: ['row for users'] }],
    finishReason: 'tool-calls',
    usage: { inputTokens: 100, outputTokens: 7, totalTokens: 107 },
  });
  const content = first?.response.messages[0]?.content;
  expect(content).toMatchObject([{ type: 'reasoning' }, { type: 'text' }, { type: 'tool-call' }]);
  // Denied: a call without a result.
  expect(second).toMatchObject({ stepNumber: 1, toolCalls: [{ toolName: 'pay' }], toolResults: [] });
});

clause('0008.3', async () => {
  const [first] = (await turn(false)).stopWhen.at(-1) ?? [];
  expect(first).toMatchObject({ request: {}, performance: {}, reasoning: [], sources: [], files: [] });
  expect(first?.warnings).toBeUndefined();
  expect(first?.providerMetadata).toBeUndefined();
  expect(first?.response).not.toHaveProperty('headers');
});

clause('0008.4', async () => {
  const endless = () => [pay];
  const stopWhen = isStepCount(2);
  const ours = flowFixture(endless, { stopWhen });
  const { say, answer } = ours.chat();
  const second = await answer(questionIn(await say('Go.')), true);
  const last = await answer(questionIn(second), true);
  expect(types(last)).not.toContain('tool-approval-request');
  expect({ calls: ours.model.calls.length, ran: ours.ran.length }).toEqual({ calls: 2, ran: 2 });
  await ours.flow.close();

  const { tools, ran } = countingTools();
  const { model, send } = replayedApprovals(endless, tools);
  const client = clientMessage();
  let response = await send(undefined, { stopWhen });
  for (let answers = 0; answers < 6; answers += 1) {
    await client.read(response.chunks);
    client.answer(questionIn(response.chunks), true);
    response = await send(client.value, { stopWhen });
    expect(response.errors).toEqual([]);
  }
  expect(types(response.chunks)).toContain('tool-approval-request');
  expect({ calls: model.calls.length, ran: ran.length }).toEqual({ calls: 7, ran: 6 });
});

clause('0008.5', async () => {
  const numbers: number[] = [];
  const { flow, model, say, answer } = flowFixture(twoQuestions, {
    prepareStep: ({ stepNumber }) => {
      numbers.push(stepNumber);
      return stepNumber === 1 ? { activeTools: ['pay'], toolChoice: 'required' } : undefined;
    },
  });
  const second = await answer(questionIn(await say('Go.')), true);
  await answer(questionIn(second), true);
  expect(numbers).toEqual([0, 1, 2]);
  expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'required', 'auto']);
  expect(model.calls.map(({ tools }) => tools?.length)).toEqual([5, 1, 5]);
  await flow.close();
});

clause('0008.6', async () => {
  const { flow, chat, model } = flowFixture((_options, step) => [
    { text: `Try ${step}.` },
    { call: 'weather', input: { city: 'Rome' } },
  ]);
  const response = await chat().say('Go.');
  expect(model.calls).toHaveLength(20);
  expect(checkResponseTiming([response], { finished: true })).toEqual([]);
  expect(types(response).filter((type) => type === 'text-delta')).toHaveLength(21);
  expect(types(response).filter((type) => type === 'tool-output-available')).toHaveLength(20);
  expect(response.at(-1)?.type).toBe('finish');
  await flow.close();
});

clause('0008.7', async () => {
  const script: ScriptedStep[] = [[{ call: 'weather', input: { city: 'Rome' } }], [{ text: 'Sunny.' }]];
  const texts: string[] = [];
  for (const stopWhen of [isStepCount(1), hasToolCall('weather')]) {
    const { flow, model, say } = flowFixture(script, { stopWhen });
    const response = await say('Go.');
    texts.push(response.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join(''));
    await say('Go on.');
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).not.toContain('Stopped here');
    await flow.close();
  }
  expect(texts).toEqual([expect.stringContaining('reached its limit of steps'), '']);
});
