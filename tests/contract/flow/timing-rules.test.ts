import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import { checkResponseTiming, collect, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { uiMessageChunks } from '../../../lib/flow/index.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { countingTools, flowFixture, lasting, questionIn, types } from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' } };
const data = (chunks: readonly UIMessageChunk[], type: `data-${string}`) =>
  chunks.flatMap((chunk) => (chunk.type === type && 'data' in chunk ? [chunk] : []));

describe('T1, T2: what a response that asks may hold', () => {
  it('T1: holds back what the model said and did around its question', async () => {
    const { chat } = flowFixture([
      [{ text: 'First.' }, { reasoning: 'Hm.' }, weather, pay(1), pay(2), { text: 'Behind the calls.' }],
    ]);
    const first = await chat().say('Go.');
    expect(types(first)).toEqual([
      'start',
      'start-step',
      'tool-input-start',
      'tool-input-available',
      'tool-approval-request',
      'finish-step',
      'finish',
    ]);
    expect(first.at(-1)).toMatchObject({ type: 'finish', finishReason: 'tool-calls' });
  });

  it('T2: begins with the answer that it continues', async () => {
    const { chat } = flowFixture([[pay(1), pay(2)]]);
    const { say, answer } = chat();
    const id = questionIn(await say('Go.'));
    const second = await answer(id, false, { reason: 'Too much.' });
    expect(lasting(second).slice(0, 3)).toEqual([
      { type: 'start', messageId: expect.any(String) },
      { type: 'start-step' },
      { type: 'tool-approval-response', approvalId: id, approved: false, reason: 'Too much.' },
    ]);
  });
});

describe('T3: the order of the release', () => {
  it('T3: gives text, reasoning, sources and files in their places, then outcomes in call order', async () => {
    const { chat } = flowFixture([
      [
        { text: 'Searching. ' },
        { source: { url: 'https://example.org', title: 'Example' } },
        { reasoning: 'Two things to do.' },
        { text: 'And paying.' },
        weather,
        pay(1),
      ],
      [{ file: { mediaType: 'image/png', base64: 'AAAA' } }, { text: ['Do', 'ne.'] }],
    ]);
    const { say, answer, view } = chat();
    const final = await answer(questionIn(await say('Go.')), true);
    expect(types(final)).toEqual([
      'start',
      'start-step',
      'tool-approval-response',
      'text-start',
      'text-delta',
      'text-end',
      'source-url',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-end',
      'file',
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-available',
      'tool-output-available',
      'tool-output-available',
      'finish-step',
      'finish',
    ]);
    const stored = (await view()).messages.at(-1);
    expect(stored?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([
      'Searching. ',
      'And paying.',
      'Done.',
    ]);
  });

  it('T3: shows a call that the gate settled with its automatic pair', async () => {
    const { chat, ran } = flowFixture([[weather, pay(1)], [{ text: 'Done.' }]], {
      toolApproval: { weather: { type: 'denied', reason: 'Not today.' } } as never,
    });
    const { say, answer } = chat();
    const final = await answer(questionIn(await say('Go.')), true);
    expect(lasting(final).slice(6, 11)).toMatchObject([
      { type: 'tool-input-start', toolName: 'weather' },
      { type: 'tool-input-available', toolName: 'weather' },
      { type: 'tool-approval-request', isAutomatic: true },
      { type: 'tool-approval-response', approved: false, reason: 'Not today.' },
      { type: 'tool-output-denied' },
    ]);
    expect(ran.map((call) => call.tool)).toEqual(['pay']);
  });

  it.each<[string, ScriptedPart, string]>([
    ['input that does not fit the schema', { call: 'weather', input: { city: 5 } }, 'weather'],
    ['input that is no JSON', { call: 'pay', rawInput: '{"to": ' }, 'pay'],
    ['a tool nobody knows', { call: 'teleport', input: { to: 'Mars' } }, 'teleport'],
    ['a tool named like an object’s own property', { call: 'constructor', input: {} }, 'constructor'],
  ])('T3: tells of %s by one tool-input-error, and the model goes on', async (_case, call, toolName) => {
    const { chat, ran, model } = flowFixture([[call], [{ text: 'Sorry.' }]]);
    const { say, view, resume } = chat();
    const response = await say('Go.');
    expect(checkResponseTiming([response], { finished: true })).toEqual([]);
    expect(types(response)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-error',
      'finish-step',
      'finish',
    ]);
    expect(lasting(response)[5]).toMatchObject({ toolName, errorText: expect.stringMatching(/./) });
    expect(ran).toEqual([]);
    const message = await messageOf(response);
    expect(plain((await view()).messages.at(-1))).toEqual(message);
    expect(await messageOf((await resume()) ?? [])).toEqual(message);
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolName, output: { type: 'error-text' } }],
    });
  });
});

describe('T10: turns in which nothing is asked', () => {
  const harmless = () => ({ weather: countingTools().tools.weather }) as ToolSet;

  it('T10: holds the text of an agent that could ask until the end', async () => {
    const { chat } = flowFixture([[{ text: 'Let me look. ' }, weather], [{ text: 'Sunny.' }]]);
    const response = await chat().say('Weather?');
    expect(checkResponseTiming([response], { finished: true })).toEqual([]);
    expect(types(response).filter((type) => /text-start|output/.test(type))).toEqual([
      'text-start',
      'text-start',
      'tool-output-available',
    ]);
  });

  it('T10: streams the text of an agent that can never ask while the model speaks', async () => {
    const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
    const { chat } = flowFixture([[{ text: 'Hello, ' }, { wait: more }, { text: 'Ada.' }]], {
      tools: harmless(),
    });
    const stream = uiMessageChunks(await chat().ask({ message: { id: 'u1' as never, parts: [] } }));
    const reader = stream.getReader();
    const seen: string[] = [];
    while (!seen.includes('text-delta')) seen.push((await reader.read()).value?.type ?? 'end');
    goOn();
    reader.releaseLock();
    const rest = await collect(stream);
    expect(seen).toEqual(['start', 'start-step', 'text-start', 'text-delta']);
    expect(rest.at(-1)).toMatchObject({ type: 'finish' });
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['no tools at all', { tools: {} }, true],
    ['a tool that says it needs no approval', { tools: harmless() }, true],
    ['a map that only approves', { tools: harmless(), toolApproval: { weather: 'approved' } }, true],
    ['a map that switches a tool’s own question off', { toolApproval: offByMap() }, true],
    ['a tool that needs approval', {}, false],
    ['a map with a function', { tools: harmless(), toolApproval: { weather: () => undefined } }, false],
    ['one function for all', { tools: harmless(), toolApproval: () => undefined }, false],
  ])('T10: with %s, live text is %s', async (_case, settings, live) => {
    const { chat } = flowFixture([[{ text: 'Hello.' }]], settings);
    const response = await chat().say('Hi.');
    expect(data(response, 'data-draft').length === 0).toBe(live);
  });

  function offByMap() {
    return { pay: 'approved', search: 'approved', locate: 'not-applicable' };
  }
});

describe('T11: progressive release', () => {
  it('T11: sends text and outcomes as they happen, the question last', async () => {
    const { chat } = flowFixture([[{ text: 'Looking. ' }, weather, pay(1)], [{ text: 'Paid.' }]], {
      release: 'progressive',
    });
    const { say, answer } = chat();
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect(checkResponseTiming([first, second], { release: 'progressive', finished: true })).toEqual([]);
    expect(types(first)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-available',
      'tool-output-available',
      'tool-input-start',
      'tool-input-available',
      'tool-approval-request',
      'finish-step',
      'finish',
    ]);
    expect(types(second)).toEqual([
      'start',
      'start-step',
      'tool-approval-response',
      'tool-output-available',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
    expect(data(first, 'data-draft')).toEqual([]);
  });
});

describe('T15: no response is empty', () => {
  it.each<[string, ScriptedPart[]]>([
    ['nothing at all', []],
    ['nothing but reasoning', [{ reasoning: 'Hm.' }]],
    ['an empty text', [{ text: '' }]],
    ['no finish', [{ finish: 'never' }]],
  ])('T15: an upstream that gives %s ends in one error chunk', async (_case, step) => {
    const { chat } = flowFixture([step], { logger: silent });
    const { say, view } = chat();
    const response = await say('Go.');
    expect(checkResponseTiming([response], { finished: true })).toEqual([]);
    expect(types(response).filter((type) => type === 'error')).toHaveLength(1);
    expect(response.at(-1)).toMatchObject({ type: 'error' });
    expect((await view()).run.status).toBe('failed');
  });

  it('T15: releases what was withheld before the error', async () => {
    const { chat } = flowFixture([[{ text: 'Paying.' }, pay(1)], []], { logger: silent });
    const { say, answer } = chat();
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect(checkResponseTiming([first, second], { finished: true })).toEqual([]);
    expect(types(second)).toEqual([
      'start',
      'start-step',
      'tool-approval-response',
      'text-start',
      'text-delta',
      'text-end',
      'tool-output-available',
      'finish-step',
      'error',
    ]);
  });
});

describe('S, H13: shapes', () => {
  it('S: reports each change of a call, with times in UTC and never with the output', async () => {
    const { chat } = flowFixture([[weather, pay(1), pay(2)], [{ text: 'Done.' }]]);
    const { say, answer } = chat();
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    const third = await answer(questionIn(second), false, { reason: 'No.' });
    const told = data([...first, ...second, ...third], 'data-tool-lifecycle').map(
      (chunk) => chunk.data as Record<string, unknown>,
    );
    expect(told.map(({ toolName, phase }) => `${toolName} ${phase}`)).toEqual([
      'weather requested',
      'pay requested',
      'pay requested',
      'weather started',
      'weather completed',
      'pay started',
      'pay completed',
      'pay denied',
    ]);
    for (const change of told) {
      expect(change).not.toHaveProperty('output');
      expect(change).toMatchObject({ kind: 'function', toolCallId: expect.any(String) });
      expect(change.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(told[4]).toMatchObject({
      summary: '1 result',
      resultCount: 1,
      durationMs: expect.any(Number),
    });
    expect(told.at(-1)).toMatchObject({ error: 'No.' });
  });

  it('S, T6: carries the text as it grows in transient drafts', async () => {
    const { chat } = flowFixture([[{ text: ['Let ', 'me see.'] }, pay(1)]]);
    const { say, view } = chat();
    const drafts = data(await say('Go.'), 'data-draft');
    expect(drafts.every((chunk) => 'transient' in chunk && chunk.transient === true)).toBe(true);
    expect(drafts.map((chunk) => (chunk.data as { delta: string }).delta).join('')).toBe('Let me see.');
    expect(new Set(drafts.map((chunk) => (chunk.data as { textId: string }).textId)).size).toBe(1);
    expect((await view()).draft).toBe('Let me see.');
  });

  it('H13: describes the question to the card', async () => {
    const { chat } = flowFixture([[pay(7), weather, pay(8)]], {
      toolDetails: {
        pay: {
          describe: ((input: { to: string; amount: number }) => `Pay ${input.to} ${input.amount}.`) as never,
          risk: 'high',
        },
      },
    });
    const { say, answer } = chat();
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect([...first, ...second].filter((chunk) => chunk.type === 'tool-approval-request')).toMatchObject([
      {
        approvalDescriptor: {
          description: 'Pay alice 7.',
          risk: 'high',
          position: { index: 1, of: 2 },
          mayAnswer: true,
        },
      },
      { approvalDescriptor: { description: 'Pay alice 8.', position: { index: 2, of: 2 } } },
    ]);
  });

  it('H10: runs edited arguments, and keeps what was proposed, approved and executed', async () => {
    const { chat, ran } = flowFixture([[pay(30)], [{ text: 'Paid.' }]]);
    const { say, answer, events } = chat();
    const edited = { to: 'alice', amount: 3 };
    const final = await answer(questionIn(await say('Go.')), true, { input: edited });
    expect(ran.map(({ input }) => input)).toEqual([edited]);
    expect(final.find((chunk) => chunk.type === 'tool-output-available')).toMatchObject({
      toolMetadata: { countersign: { input: edited } },
      output: { paid: 3 },
    });
    const log = await events();
    expect(log.find((event) => event.type === 'tool-requested')).toMatchObject({ input: { amount: 30 } });
    expect(log.find((event) => event.type === 'approval-answered')).toMatchObject({ input: edited });
    expect(log.find((event) => event.type === 'tool-started')).toMatchObject({ input: edited });
  });
});

describe('A: a step that was cut off', () => {
  it.each(['length', 'content-filter', 'other'] as const)(
    'T16: calls of a step that ended with %s never run and say so',
    async (finish) => {
      const { chat, ran } = flowFixture([[{ text: 'I will ' }, pay(1), weather, { finish }]]);
      const { say, events } = chat();
      const response = await say('Go.');
      expect(checkResponseTiming([response], { finished: true })).toEqual([]);
      expect(ran).toEqual([]);
      expect(response.filter((chunk) => chunk.type === 'tool-output-error')).toHaveLength(2);
      expect(response.at(-1)).toEqual({ type: 'finish', finishReason: finish });
      expect((await events()).filter((event) => event.type === 'tool-cancelled')).toHaveLength(2);
    },
  );
});

describe('T14: approvals that a provider asks for', () => {
  const vendorStep: ScriptedPart[] = [
    { text: 'Asking.' },
    { providerQuestion: 'mcp.send_mail', id: 'mcp-1', approvalId: 'vendor-1', input: { to: 'bob' } },
    pay(1),
  ];

  it('T14: go through the queue with ids of ours, and back to the provider in its own form', async () => {
    const { chat, model, ran } = flowFixture([
      vendorStep,
      [
        { providerResult: 'mcp-1', tool: 'mcp.send_mail', result: { sent: true } },
        { text: 'Sent and paid.' },
      ],
    ]);
    const { say, answer, view } = chat();
    const first = await say('Go.');
    const id = questionIn(first);
    expect(id).not.toBe('vendor-1');
    const second = await answer(id, true);
    const third = await answer(questionIn(second), true);
    expect(checkResponseTiming([first, second, third], { finished: true })).toEqual([]);
    expect(ran.map((call) => call.tool)).toEqual(['pay']);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('"approvalId":"vendor-1"');
    const part = (await view()).messages
      .at(-1)
      ?.parts.find((p) => 'toolCallId' in p && p.toolCallId === 'mcp-1');
    expect(part).toMatchObject({ state: 'output-available', output: { sent: true }, providerExecuted: true });
  });

  it('T14: a denied one is told as denied by us', async () => {
    const { chat } = flowFixture([vendorStep.slice(0, 2), [{ text: 'As you wish.' }]]);
    const { say, answer } = chat();
    const first = await say('Go.');
    const second = await answer(questionIn(first), false);
    expect(checkResponseTiming([first, second], { finished: true })).toEqual([]);
    expect(types(second)).toContain('tool-output-denied');
  });
});

describe('T7: when calls run', () => {
  it('T7: an approved call runs to its end before the next question opens', async () => {
    const { promise: paid, resolve: finishPaying } = Promise.withResolvers<string>();
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const slow = tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: () => {
        onStart();
        return paid;
      },
    });
    const { chat } = flowFixture([[{ call: 'slow' }, { call: 'slow' }], [{ text: 'Done.' }]], {
      tools: { slow } as ToolSet,
    });
    const { say, answer, view } = chat();
    const second = answer(questionIn(await say('Go.')), true);
    await started;
    expect(await view()).toMatchObject({ run: { status: 'active' } });
    expect((await view()).open).toBeUndefined();
    finishPaying('paid');
    await second;
    expect(await view()).toMatchObject({ run: { status: 'waiting' }, open: expect.any(String) });
  });
});

const silent = { warn: () => {}, error: () => {} };
