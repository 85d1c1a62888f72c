import { tool, type UIMessage, type UIMessageChunk } from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { checkResponseTiming, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { adr } from '../support/adr.ts';
import { clientMessage, messageOf } from '../support/client-message.ts';
import {
  countingTools,
  flowFixture,
  framed,
  lasting,
  questionIn,
  questionTypes,
  textTypes,
  types,
} from '../support/flow-fixture.ts';
import { stoppedClock } from '../support/stopped-clock.ts';
import { sendUnlessTextFollows } from './rejected/predicate-by-text-order.ts';
import { replayedApprovals } from './rejected/replayed-approvals.ts';

const { clause } = adr('0004-response-timing.md');

type Fixture = ReturnType<typeof flowFixture>;

const pay = (to: string) => ({ call: 'pay', input: { to, amount: 30 } });
const fail = tool({
  inputSchema: z.object({}),
  needsApproval: true,
  execute: (): string => {
    throw new Error('The line is dead.');
  },
});
const chained: ScriptedStep[] = [
  [{ reasoning: 'Money.' }, { text: 'First Alice. ' }, pay('Alice'), { text: 'Please confirm.' }],
  [{ text: 'Then Bob. ' }, pay('Bob')],
  [{ text: 'Done.' }],
];
const parallel: ScriptedStep[] = [
  [{ text: 'Both at once. ' }, pay('Alice'), { call: 'weather', input: { city: 'Rome' } }, pay('Bob')],
  [{ text: 'Done.' }],
];

/** The responses of one turn, with the given answer to each question. */
async function responsesOf({ chat }: Fixture, ...answers: boolean[]): Promise<UIMessageChunk[][]> {
  const { say, answer } = chat();
  const responses = [await say('Go.')];
  for (const approved of answers) responses.push(await answer(questionIn(responses.at(-1) ?? []), approved));
  return responses;
}

const proseOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.map((chunk) => (chunk.type.endsWith('-delta') && 'delta' in chunk ? chunk.delta : '')).join('');
const paidTo = ({ ran }: Fixture) =>
  ran.flatMap(({ tool, input }) => (tool === 'pay' ? [(input as { to: string }).to] : []));

clause('0004.1', async () => {
  for (const script of [chained, parallel]) {
    const fixture = flowFixture(script);
    const [first = [], second = []] = await responsesOf(fixture, true, true);
    expect(types(first)).toEqual(framed(...questionTypes));
    expect(first.at(-1)).toMatchObject({ type: 'finish', finishReason: 'tool-calls' });
    expect(types(second)).toEqual(framed('tool-approval-response', ...questionTypes));
    await fixture.flow.close();
  }
  const { flow, say, answer } = flowFixture(parallel);
  const approvalId = questionIn(await say('Go.'));
  const denied = lasting(await answer(approvalId, false, { reason: 'Too much.' }));
  expect(denied[2]).toEqual({
    type: 'tool-approval-response',
    approvalId,
    approved: false,
    reason: 'Too much.',
  });
  await flow.close();
});

clause('0004.2', async () => {
  const fixture = flowFixture(parallel);
  const responses = await responsesOf(fixture, true, false);
  const last = lasting(responses.at(-1) ?? []);
  expect(types(last)).toEqual(
    framed(
      'tool-approval-response',
      ...textTypes,
      ...textTypes,
      'tool-output-available',
      ...['tool-input-start', 'tool-input-available', 'tool-output-available'],
      'tool-output-denied',
    ),
  );
  expect(proseOf(last)).toBe('Both at once. Done.');
  expect(checkResponseTiming(responses, { finished: true })).toEqual([]);
  await fixture.flow.close();

  const source = { source: { url: 'https://bank.example/terms' } };
  const failing = flowFixture(
    [
      [{ text: 'Both. ' }, source, { call: 'fail', input: {} }, pay('Bob')],
      [{ text: 'Done.' }, source],
    ],
    { tools: { ...countingTools().tools, fail } },
  );
  const [, second = [], third = []] = await responsesOf(failing, true, true);
  expect(types(lasting(second))).toEqual(framed('tool-approval-response', ...questionTypes));
  expect(types(lasting(third))).toEqual(
    framed(
      'tool-approval-response',
      ...[...textTypes, 'source-url', ...textTypes, 'source-url'],
      ...['tool-output-error', 'tool-output-available'],
    ),
  );
  await failing.flow.close();
});

clause('0004.3', async () => {
  const fixture = flowFixture(chained);
  const responses = await responsesOf(fixture, true, true);
  const starts = responses.map(([first]) => (first?.type === 'start' ? first.messageId : undefined));
  expect(starts).toEqual([starts[0], starts[0], starts[0]]);
  expect(starts[0]).toMatch(/^msg_/);
  for (const response of responses) {
    expect(types(response).filter((type) => type === 'start-step')).toHaveLength(1);
  }
  await fixture.flow.close();
});

clause('0004.4', async () => {
  const fixture = flowFixture(chained);
  const [first = [], ...others] = await responsesOf(fixture, true, true);
  const drafted = first.flatMap((chunk) => (chunk.type === 'data-draft' ? [chunk.data] : []));
  expect(drafted.map((data) => (data as { delta: string }).delta).join('')).toBe(
    'First Alice. Please confirm.',
  );
  const lived = [first, ...others].flat().filter(({ type }) => type === 'data-tool-lifecycle');
  const phases = lived.map((chunk) => ('data' in chunk ? (chunk.data as { phase: string }).phase : ''));
  expect(phases).toEqual(['requested', 'started', 'completed', 'requested', 'started', 'completed']);
  expect(JSON.stringify(lived)).not.toContain('"paid"');
  const message = await messageOf([first, ...others].flat());
  expect(message.parts.filter(({ type }) => type.startsWith('data-'))).toEqual([]);
  await fixture.flow.close();
});

clause('0004.5', async () => {
  const fixture = flowFixture(parallel);
  const { say, answer, events } = fixture.chat();
  const second = await answer(questionIn(await say('Go.')), true);
  expect(paidTo(fixture)).toEqual(['Alice']);
  expect(questionIn(second)).toMatch(/^apr_/);
  const order = (await events()).map(({ type }) => type);
  expect(order.lastIndexOf('tool-completed')).toBeLessThan(order.lastIndexOf('approval-requested'));
  await answer(questionIn(second), true);
  expect(paidTo(fixture)).toEqual(['Alice', 'Bob']);
  await fixture.flow.close();

  const three = flowFixture([[pay('Alice'), pay('Bob'), pay('Carol')], [{ text: 'Done.' }]]);
  await responsesOf(three, true, true, true);
  const asked = 'approval-requested';
  const ended = 'tool-completed';
  const log = (await three.events()).map(({ type }) => type);
  expect(log.filter((type) => type === asked || type === ended)).toEqual([
    asked,
    ended,
    asked,
    ended,
    asked,
    ended,
  ]);
  await three.flow.close();
});

clause('0004.6', async () => {
  for (const script of [chained, parallel]) {
    const fixture = flowFixture(script);
    const responses = await responsesOf(fixture, false, true);
    expect(responses).toHaveLength(3);
    expect(paidTo(fixture)).toEqual(['Bob']);
    expect(proseOf(lasting(responses.at(-1) ?? []))).toContain('Done.');
    await fixture.flow.close();
  }
  const { flow, say, answers, ran } = flowFixture(chained);
  const approvalId = parseApprovalId(questionIn(await say('Go.')));
  await answers([
    { approvalId, approved: false },
    { approvalId, approved: true },
  ]);
  expect(ran).toEqual([]);
  await flow.close();
});

clause('0004.7', async () => {
  const steps: ScriptedStep[] = [[pay('Alice')], [pay('Bob')], [{ text: 'Done.' }]];
  const atOnce: ScriptedStep[] = [[pay('Alice'), pay('Bob')], [{ text: 'Done.' }]];
  const seen: unknown[] = [];
  for (const script of [steps, atOnce]) {
    const fixture = flowFixture(script, { clock: stoppedClock });
    const responses = await responsesOf(fixture, true, false);
    seen.push(responses.map((response) => withoutIds(lasting(response))));
    await fixture.flow.close();
  }
  expect(seen[1]).toEqual(seen[0]);
});

/** Chunks for comparing two turns, without their ids and positions. */
function withoutIds(chunks: readonly UIMessageChunk[]): unknown {
  const owned = ['id', 'messageId', 'toolCallId', 'approvalId', 'position'];
  return JSON.parse(JSON.stringify(chunks, (key, value) => (owned.includes(key) ? undefined : value)));
}

clause('0004.8', async () => {
  const script: ScriptedStep[] = [
    [{ text: 'A moment. ' }, { call: 'weather', input: { city: 'Rome' } }],
    [{ text: 'Sunny.' }],
  ];
  const mayAsk = flowFixture(script);
  const [held = []] = await responsesOf(mayAsk);
  expect(checkResponseTiming([held], { finished: true })).toEqual([]);
  expect(types(held).filter((type) => /text-start|output/.test(type))).toEqual([
    ...['text-start', 'text-start', 'tool-output-available'],
  ]);
  expect(held.some(({ type }) => type === 'data-draft')).toBe(true);

  const { weather } = countingTools().tools;
  const neverAsks = flowFixture(script, { tools: { weather } });
  const [live = []] = await responsesOf(neverAsks);
  expect(types(live).indexOf('tool-output-available')).toBeLessThan(types(live).lastIndexOf('text-start'));
  expect(live.some(({ type }) => type === 'data-draft')).toBe(false);
  await mayAsk.flow.close();
  await neverAsks.flow.close();
});

clause('0004.9', async () => {
  const fixture = flowFixture(chained, { release: 'progressive' });
  const responses = await responsesOf(fixture, true, true);
  expect(checkResponseTiming(responses, { release: 'progressive', finished: true })).toEqual([]);
  const [first = [], second = []] = responses;
  expect(proseOf(lasting(first))).toBe('Money.First Alice. Please confirm.');
  expect(types(first).slice(-3)).toEqual(['tool-approval-request', 'finish-step', 'finish']);
  expect(types(second)).toContain('tool-output-available');
  await fixture.flow.close();
});

clause('0004.10', async () => {
  const fixture = flowFixture([
    [{ text: 'Where?' }, { call: 'locate', id: 'here' }],
    [{ text: 'In Tokyo.' }],
  ]);
  const { say, answer, output, events, view } = fixture;
  const asked = await say('Where am I?');
  await answer(questionIn(asked), true);
  await expect(output('here', { lat: 'north' })).rejects.toMatchObject({ code: 'invalid-request' });
  expect((await view()).run.status).toBe('waiting');
  expect(proseOf(lasting(await output('here', { lat: 35.7 })))).toBe('Where?In Tokyo.');
  await output('here', { lat: 0 });
  const ends = (await events()).filter(({ type }) => type === 'tool-completed');
  expect(ends).toMatchObject([{ output: { lat: 35.7 } }]);
  await fixture.flow.close();

  const ungated = flowFixture([[{ text: 'Looking.' }, { call: 'theme', id: 'theme' }], [{ text: 'Dark.' }]]);
  expect(types(await ungated.say('Which theme?'))).toEqual(
    framed('tool-input-start', 'tool-input-available'),
  );
  await ungated.output('theme', 'dark');
  expect(types(await ungated.output('theme', 'light'))).toContain('text-start');
  const outputs = (await ungated.events()).filter(({ type }) => type === 'tool-completed');
  expect(outputs).toMatchObject([{ output: 'dark' }]);
  expect(ungated.model.calls).toHaveLength(2);
  await ungated.flow.close();
});

clause('0004.11', async () => {
  const { flow, say, answer, view, model, ran } = flowFixture([
    [
      { text: 'Asking.' },
      { providerQuestion: 'mcp.refund', id: 'vendor-call', approvalId: 'vendor-approval' },
      pay('Alice'),
    ],
    [{ providerResult: 'vendor-call', tool: 'mcp.refund', result: { refunded: 5 } }, { text: 'Refunded.' }],
  ]);
  const first = await say('Refund it, and pay.');
  expect(types(first)).toEqual(framed(...questionTypes));
  const id = questionIn(first);
  expect(id).toMatch(/^apr_/);
  const second = await answer(id, true);
  const third = await answer(questionIn(second), true);
  expect(checkResponseTiming([first, second, third], { finished: true })).toEqual([]);
  expect(ran.map(({ tool }) => tool)).toEqual(['pay']);
  const told = JSON.stringify(model.calls[1]?.prompt);
  expect(told).toContain('"approvalId":"vendor-approval"');
  expect(told).not.toContain(id);
  expect((await view()).messages.at(-1)?.parts).toContainEqual(
    expect.objectContaining({
      ...{ toolCallId: 'vendor-call', state: 'output-available' },
      ...{ output: { refunded: 5 }, providerExecuted: true },
    }),
  );
  await flow.close();
});

clause('0004.12', async () => {
  const fixture = flowFixture([[]], { logger: { warn() {}, error() {} } });
  const [response = []] = await responsesOf(fixture);
  expect(response.at(-1)).toMatchObject({
    type: 'error',
    errorText: expect.stringContaining('without an answer'),
  });
  await fixture.flow.close();
});

/** A turn with withheld text and a withheld result, waiting for its second answer. */
async function waiting(end: ScriptedStep[] = []) {
  const fixture = flowFixture([...chained.slice(0, 2), ...end], { logger: { warn() {}, error() {} } });
  const chat = fixture.chat();
  const second = await chat.answer(questionIn(await chat.say('Go.')), true);
  return { ...fixture, ...chat, open: questionIn(second) };
}

clause('0004.13', async () => {
  const stopped = await waiting();
  await stopped.stop();
  const superseded = await waiting([[{ text: 'As you like.' }]]);
  await superseded.say('Forget it.');
  const failed = await waiting([[{ reject: new Error('No connection.') }]]);
  const last = await failed.answer(failed.open, false);
  expect(last.at(-1)?.type).toBe('error');

  for (const { view, flow } of [stopped, superseded, failed]) {
    const { messages, open } = await view();
    const ended = messages.find(({ role }) => role === 'assistant');
    expect(open).toBeUndefined();
    expect(statesOf(ended)).toEqual(['output-available', 'output-denied']);
    expect(JSON.stringify(ended?.parts)).toContain('First Alice. ');
    await flow.close();
  }
});

const statesOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).flatMap((part) => ('toolCallId' in part ? [part.state] : []));

clause('0004.14', async () => {
  // A plain backend whose model writes text after its call. Its message has step marks.
  const { chunks } = await replayedApprovals(
    [[pay('Alice'), { text: 'Please confirm.' }]],
    countingTools().tools,
  ).send();
  const client = clientMessage();
  await client.read([{ type: 'start', messageId: 'm' }, ...chunks.slice(1)]);
  client.answer(questionIn(chunks), true);
  const marked = client.value;
  expect(marked.parts.map(({ type }) => type)).toEqual(['step-start', 'tool-pay', 'text']);
  const unmarked = { ...marked, parts: marked.parts.filter(({ type }) => type !== 'step-start') };

  for (const { sendAutomaticallyWhen } of [sse, bidi]) {
    expect(sendAutomaticallyWhen({ messages: [marked] })).toBe(true);
    expect(sendAutomaticallyWhen({ messages: [unmarked] })).toBe(false);
  }
  expect(sendUnlessTextFollows({ messages: [marked] })).toBe(false);
});

clause('0004.15', async () => {
  const gate = { toolApproval: { pay: 'user-approval' } } as const;
  const { tools, ran } = countingTools();
  const twoPayments = [[{ text: 'Both. ' }, pay('Alice'), pay('Bob')]];
  const both = replayedApprovals(twoPayments, tools);
  const first = await both.send(undefined, gate);
  const faults = checkResponseTiming([first.chunks]).map(({ rule }) => rule);
  expect(faults).toContain('T1');
  const client = clientMessage();
  await client.read(first.chunks);
  client.answer(questionIn(first.chunks), true);
  expect((await both.send(client.value, gate)).errors).toMatchObject([
    { name: 'AI_MissingToolResultsError' },
  ]);
  expect(ran.map(({ input }) => input)).toMatchObject([{ to: 'Alice' }]);

  const once = countingTools();
  const one = replayedApprovals([[pay('Alice')], [{ text: 'Paid.' }], [{ text: 'Paid.' }]], once.tools);
  const asked = await one.send(undefined, gate);
  const twice = clientMessage();
  await twice.read(asked.chunks);
  twice.answer(questionIn(asked.chunks), true);
  for (const _attempt of [1, 2]) expect((await one.send(twice.value, gate)).errors).toEqual([]);
  expect(once.ran).toHaveLength(2);
});
