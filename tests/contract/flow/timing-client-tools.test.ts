import type { UIMessageChunk } from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { checkResponseTiming, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { clientMessage, messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, framed, lasting, questionIn, textTypes, types } from '../../support/flow-fixture.ts';

const locate: ScriptedPart = { call: 'locate' };
const theme: ScriptedPart = { call: 'theme' };
const pay: ScriptedPart = { call: 'pay', input: { to: 'alice', amount: 1 } };
const clientTools = ['locate', 'theme'];
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' } };
const done: ScriptedPart[] = [{ text: 'Done.' }];

const callIn = (chunks: readonly UIMessageChunk[]) => {
  const shown = chunks.findLast((chunk) => chunk.type === 'tool-input-available');
  if (shown?.type !== 'tool-input-available') throw new Error('This response shows no call.');
  return shown.toolCallId;
};

describe('tools that the client executes [T13]', () => {
  it('accepts the output with the answer, and repeats neither [T13, T2]', async () => {
    const { model, say, answers, answer, view, resume } = flowFixture([[locate, pay], done]);
    const client = clientMessage();
    const first = await say('Where am I?');
    await client.read(first);
    const [id, toolCallId] = [questionIn(first), callIn(first)];
    client.answer(id, true);
    client.output(toolCallId, { lat: 52 });
    const second = await answers(
      [{ approvalId: id as never, approved: true }],
      [{ toolCallId: toolCallId as never, output: { lat: 52 } }],
    );
    await client.read(second);
    client.answer(questionIn(second), true);
    const third = await answer(questionIn(second), true);
    await client.read(third);

    const options = { finished: true, clientTools, answers: { [id]: true } };
    expect(checkResponseTiming([first, second, third], options)).toEqual([]);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('"value":{"lat":52}');
    expect(plain((await view()).messages.at(-1))).toEqual(client.value);
    expect(await messageOf((await resume()) ?? [])).toEqual(client.value);
  });

  it('accepts the output after the answer [T13]', async () => {
    const { say, answer, output, view, resume } = flowFixture([[locate], done]);
    const first = await say('Where am I?');
    const answered = await answer(questionIn(first), true);
    // No step mark: over SSE a client looks for what it must send behind the last one.
    expect(types(answered)).toEqual(['start', 'tool-approval-response', 'finish']);
    expect((await view()).run.status).toBe('waiting');
    expect((await view()).open).toBeUndefined();
    const last = await output(callIn(first), { lat: 52 });
    expect(types(last)).toEqual(framed(...textTypes));
    const stored = plain((await view()).messages.at(-1));
    expect(stored?.parts[1]).toMatchObject({ state: 'output-available', output: { lat: 52 } });
    expect(await messageOf((await resume()) ?? [])).toEqual(stored);
  });

  const releases = ['final', 'progressive', 'hold-after-question'] as const;
  it.each(
    releases.flatMap((release) =>
      [[theme], [{ text: 'Look.' }, theme, locate], [pay, theme], [locate, theme]].map(
        (calls) => [release, calls] as const,
      ),
    ),
  )('stores and replays the steps that a %s turn has live: %j [T13, H2]', async (release, calls) => {
    const { say, answer, output, answers, view, resume } = flowFixture([calls, [weather], done], { release });
    const client = clientMessage();
    let last = await say('Go.');
    await client.read(last);
    while (last.at(-1)?.type === 'finish' && types(last).includes('tool-input-available')) {
      const toolCallId = callIn(last);
      const isOurs = lasting(last).some(
        (chunk) => 'toolName' in chunk && clientTools.includes(chunk.toolName),
      );
      const value = types(last).includes('tool-approval-request') ? { lat: 52 } : 'dark';
      const question = types(last).includes('tool-approval-request') ? questionIn(last) : undefined;
      if (question === undefined && !isOurs) break;
      if (question !== undefined) client.answer(question, true);
      if (isOurs) client.output(toolCallId, value);
      if (question === undefined) last = await output(toolCallId, value);
      else if (!isOurs) last = await answer(question, true);
      else {
        const answered = [{ approvalId: question as never, approved: true }];
        last = await answers(answered, [{ toolCallId: toolCallId as never, output: value }]);
      }
      await client.read(last);
    }
    expect(JSON.stringify(client.value)).toContain('Done.');
    expect(plain((await view()).messages.at(-1))).toEqual(client.value);
    expect(await messageOf((await resume()) ?? [])).toEqual(client.value);
  });

  it.each([
    ['SSE', sse],
    ['BIDI', bidi],
  ] as const)(
    'sends no output again over %s after a last response of outcomes alone [P4, T15]',
    async (_transport, transport) => {
      const { say, answer, output } = flowFixture([[pay, theme], [{ finish: 'stop' }]]);
      const client = clientMessage();
      const asked = await say('Go.');
      await client.read(asked);
      client.answer(questionIn(asked), true);
      const handedOver = await answer(questionIn(asked), true);
      await client.read(handedOver);
      client.output(callIn(handedOver), 'dark');
      const isSent = transport.createSendAutomaticallyWhen({ clientTools });
      expect(isSent({ messages: [client.value] })).toBe(true);
      const last = await output(callIn(handedOver), 'dark');
      expect(types(last)).toEqual(framed('tool-output-available'));
      await client.read(last);
      expect(isSent({ messages: [client.value] })).toBe(false);
    },
  );

  it('does not record an answer whose output does not fit either [T13, H1]', async () => {
    const { say, answers, view } = flowFixture([[locate], done]);
    const first = await say('Where am I?');
    const id = questionIn(first);
    const both = answers(
      [{ approvalId: id as never, approved: true }],
      [{ toolCallId: callIn(first) as never, output: 'north' }],
    );
    await expect(both).rejects.toMatchObject({ code: 'invalid-request' });
    expect((await view()).open).toBe(id);
  });

  it('hands an ungated call over as the last part of its response [T13]', async () => {
    const { say, output, answer, view, resume } = flowFixture([[{ text: 'Let me see.' }, theme, pay], done]);
    const client = clientMessage();
    const first = await say('Which theme?');
    await client.read(first);
    expect(lasting(first).at(-3)).toMatchObject({ type: 'tool-input-available', toolName: 'theme' });
    expect(await messageOf((await resume()) ?? [])).toEqual(client.value);
    client.output(callIn(first), 'dark');
    const second = await output(callIn(first), 'dark');
    await client.read(second);
    client.answer(questionIn(second), true);
    const third = await answer(questionIn(second), true);
    await client.read(third);
    expect(checkResponseTiming([first, second, third], { finished: true, clientTools })).toEqual([]);
    expect(plain((await view()).messages.at(-1))).toEqual(client.value);
    expect(await messageOf((await resume()) ?? [])).toEqual(client.value);
  });

  it('passes a failure at the client to the model [T13]', async () => {
    const { model, say, ask } = flowFixture([[theme], done]);
    const first = await say('Which theme?');
    await ask({ outputs: [{ toolCallId: callIn(first) as never, errorText: 'No permission.' }] });
    await expect.poll(() => model.calls.length).toBe(2);
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
      content: [{ output: { type: 'error-text', value: 'No permission.' } }],
    });
  });

  it.each<[string, ScriptedPart[], string]>([
    ['a call that was asked about but not answered', [locate], 'call-0-0'],
    ['a call that waits behind a question', [pay, theme], 'call-0-1'],
    ['a call of the server’s own', [pay], 'call-0-0'],
    ['a call that was never made', [pay], 'call-9-9'],
  ])('refuses an output for %s [T13]', async (_case, step, toolCallId) => {
    const { say, output, events } = flowFixture([step]);
    await say('Go.');
    const before = await events();
    await expect(output(toolCallId, { lat: 1 })).rejects.toMatchObject({ code: 'invalid-request' });
    expect(await events()).toEqual(before);
  });

  it('settles a call that the gate denied on the server, and marks it [T13, T3]', async () => {
    const { chat } = flowFixture([[locate, theme], done], {
      toolApproval: { locate: 'denied', theme: 'denied' } as never,
    });
    const response = await chat().say('Where am I?');
    expect(checkResponseTiming([response], { finished: true, clientTools })).toEqual([]);
    for (const chunk of response) {
      if (chunk.type === 'tool-input-available') expect(chunk.providerExecuted).toBe(true);
    }
  });

  it('hands over a call that the gate approved [T13]', async () => {
    const { say, output } = flowFixture([[theme], done], { toolApproval: { theme: 'approved' } as never });
    const first = await say('Which theme?');
    const call = lasting(first).filter((chunk) => 'toolCallId' in chunk || 'approvalId' in chunk);
    expect(call.map((chunk) => chunk.type)).toEqual([
      'tool-input-start',
      'tool-input-available',
      'tool-approval-request',
      'tool-approval-response',
    ]);
    expect(types(await output(callIn(first), 'dark'))).toContain('text-start');
  });

  it.each<[string, ScriptedPart]>([
    ['invalid input', { call: 'theme', rawInput: '{' }],
    ['a step that was cut off', { call: 'theme' }],
  ])('shows a call with %s as executed elsewhere [T3]', async (why, call) => {
    const cut: ScriptedPart[] = why === 'invalid input' ? [] : [{ finish: 'length' }];
    const { chat } = flowFixture([[{ text: 'Hm.' }, call, ...cut], done]);
    const response = await chat().say('Which theme?');
    expect(checkResponseTiming([response], { finished: true, clientTools })).toEqual([]);
  });

  it('withdraws the call if a new message arrives instead of the output [T13, H8]', async () => {
    const { model, say, view, output } = flowFixture([[theme], [{ text: 'Never mind.' }]]);
    const first = await say('Which theme?');
    await say('Forget it.');
    const part = (await view()).messages[1]?.parts[1];
    expect(part).toMatchObject({ state: 'output-error', providerExecuted: true });
    expect(model.calls[1]?.prompt.find(({ role }) => role === 'tool')).toMatchObject({
      content: [{ output: { type: 'error-text' } }],
    });
    await expect(output(callIn(first), 'dark')).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('lets the page send the output after an answer from the inbox [T13]', async () => {
    const { flow, say, output, answers, view } = flowFixture([[locate], done]);
    const first = await say('Where am I?');
    const approvalId = questionIn(first) as never;
    const principal = { id: 'ada', name: 'Ada' };
    const answered = await flow.approvals.answer({ approvalId, principal, approved: true, via: 'http' });
    expect(answered.state).toBe('approved');
    expect((await view()).run.status).toBe('waiting');
    const last = await answers(
      [{ approvalId, approved: true }],
      [{ toolCallId: callIn(first) as never, output: { lat: 52 } }],
    );
    expect(types(last)).toContain('text-start');
    await expect(output(callIn(first), { lat: 1 })).resolves.toBeDefined();
  });
});
