import { isStepCount, type ToolSet, tool, type UIMessageChunk } from 'ai';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { sqliteStore } from 'countersign/store';
import {
  checkResponseTiming,
  interceptedStore,
  type ScriptedPart,
  type ScriptedStep,
} from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientMessage, messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' } };
const silent = { warn: () => {}, error: () => {} };
const textOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join('');

/** A promise that the test settles, and one that says that it is waited for. */
function gate() {
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  return { open, release, reached, reach };
}

/** A tool that waits at a gate until it is released or aborted. */
function waitingTool(at: ReturnType<typeof gate>, needsApproval: boolean) {
  return tool({
    inputSchema: z.object({}),
    needsApproval,
    execute: (_input, { abortSignal }) => {
      at.reach();
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
      return Promise.race([at.open.then(() => 'ran'), aborted]);
    },
  });
}

describe('a limit of steps [T3, T16]', () => {
  const words = 'Stopped here: the assistant reached its limit of steps for one message.';

  it.each(['final', 'progressive', 'hold-after-question'] as const)(
    'ends a %s turn with words, live, stored and replayed, which the model does not see [T3, T16]',
    async (release) => {
      const { say, answer, view, resume, model } = flowFixture(
        [[{ text: 'Paying.' }, pay(1)], [weather], [{ text: 'Yes?' }]],
        { release, stopWhen: isStepCount(2) },
      );
      const responses = [await say('Go.')];
      responses.push(await answer(questionIn(responses[0] ?? []), true));
      expect(checkResponseTiming(responses, { finished: true, release })).toEqual([]);
      expect(textOf(responses.flat())).toBe(`Paying.${words}`);
      const client = clientMessage();
      for (const response of responses) await client.read(response);
      expect(client.value.parts.filter(({ type }) => type === 'text')).toHaveLength(2);
      expect(plain((await view()).messages[1])).toEqual(client.value);
      expect(textOf((await resume()) ?? [])).toBe(`Paying.${words}`);
      await say('Go on.');
      expect(JSON.stringify(model.calls.at(-1)?.prompt)).not.toContain(words);
    },
  );

  it('is not named for the request of an agent, which has one step', async () => {
    const { flow } = flowFixture([], { plugins: [agentRequests({ approvers: () => true })] });
    const approvalId = await flow.agentRequests.create({ principal: ada, key: 'one', title: 'Deploy.' });
    const bob = { id: 'bob', name: 'Bob' };
    const { chatId } = await flow.approvals.answer({
      principal: bob,
      approvalId,
      approved: true,
      via: 'http',
    });
    const read = () => flow.chats.read({ principal: ada, chatId });
    await expect.poll(async () => (await read()).run.status).toBe('idle');
    expect(JSON.stringify((await read()).messages)).not.toContain('Stopped');
  });
});

describe('stop [T16, H5]', () => {
  it('keeps the text that was shown, in the chat, for the model, and for the open response [T16]', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const { model, say, stop, view, events } = flowFixture([
      [{ text: 'I was about' }, { wait: never }, { text: 'to say' }],
      [{ text: 'Yes?' }],
    ]);
    const response = say('Go.');
    await expect.poll(async () => (await view().catch(() => undefined))?.draft).toBe('I was about');
    await stop();
    const chunks = await response;
    expect(checkResponseTiming([chunks], { finished: true })).toEqual([]);
    expect(chunks.at(-1)).toMatchObject({ type: 'abort' });
    expect(textOf(chunks)).toBe('I was about');
    const stored = await view();
    expect(stored.run.status).toBe('idle');
    expect(stored.draft).toBeUndefined();
    expect(plain(stored.messages[1])).toEqual(await messageOf(chunks));
    expect((await events()).at(-1)).toMatchObject({ type: 'run-cancelled', reason: 'stopped' });

    await say('Go on.');
    expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(model.calls[1]?.prompt[1])).toContain('I was about');
  });

  it.each([
    ['an ungated tool', false],
    ['an approved tool', true],
  ])('aborts %s, and says so [T16, H5]', async (_which, gated) => {
    const at = gate();
    const { model, say, answer, stop, view } = flowFixture(
      [[{ text: 'Running.' }, { call: 'slow' }], [{ text: 'Yes?' }]],
      {
        tools: { slow: waitingTool(at, gated), other: waitingTool(at, true) } as ToolSet,
      },
    );
    const responses: UIMessageChunk[][] = [];
    if (gated) responses.push(await say('Go.'));
    const last = gated ? answer(questionIn(responses[0] ?? []), true) : say('Go.');
    await at.reached;
    await stop();
    responses.push(await last);
    expect(checkResponseTiming(responses, { finished: true })).toEqual([]);
    expect(responses.at(-1)?.at(-1)).toMatchObject({ type: 'abort' });
    expect(textOf(responses.at(-1) ?? [])).toBe('Running.');
    const part = (await view()).messages[1]?.parts.find(({ type }) => type === 'tool-slow');
    expect(part).toMatchObject({ state: 'output-error' });
    await say('What happened?');
    expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('withdraws an open question as cancelled [T16, H5]', async () => {
    const { model, ran, flow, say, answer, stop, view, resume } = flowFixture([
      [{ text: 'May I?' }, pay(1), pay(2)],
      [{ text: 'Yes?' }],
    ]);
    const id = questionIn(await say('Go.'));
    await stop();
    const stored = await view();
    expect(stored).toMatchObject({ run: { status: 'idle' } });
    expect(stored.open).toBeUndefined();
    expect(stored.messages[1]?.parts.flatMap((part) => ('state' in part ? [part.state] : []))).toEqual([
      'output-denied',
      'done',
      'output-error',
    ]);
    const principal = { id: 'ada', name: 'Ada' };
    const question = await flow.approvals.read({ approvalId: id as never, principal });
    expect(question.state).toBe('cancelled');
    const replay = (await resume()) ?? [];
    expect(replay).toContainEqual({
      type: 'tool-approval-response',
      approvalId: id,
      approved: false,
      reason: 'cancelled',
      providerMetadata: { countersign: { withdrawn: 'cancelled', position: expect.any(Number) } },
    });
    expect(await messageOf(replay)).toEqual(plain(stored.messages[1]));
    // An answer that comes too late is told what stands.
    expect(types(await answer(id, true))).toContain('tool-output-denied');
    await say('And now?');
    expect(model.calls[1]?.prompt[2]?.content).toMatchObject([
      { output: { type: 'execution-denied', reason: expect.stringContaining('cancelled') } },
      { output: { type: 'error-text' } },
    ]);
    expect(ran).toEqual([]);
  });

  it('changes nothing if there is nothing to stop [H5]', async () => {
    const { say, stop, events } = flowFixture([[{ text: 'Hello.' }]]);
    await say('Hi.');
    const before = await events();
    await stop();
    expect(await events()).toEqual(before);
  });

  it('leaves nothing open if the question is just being written [H5]', async () => {
    const at = gate();
    const store = interceptedStore(sqliteStore({ path: ':memory:' }), async ({ events }) => {
      if (!events.some((event) => event.type === 'run-suspended')) return;
      at.reach();
      await at.open;
    });
    const { say, stop, view } = flowFixture([[{ text: 'May I?' }, pay(1)]], { store });
    const response = say('Go.');
    await at.reached;
    const stopped = stop();
    at.release();
    await Promise.all([stopped, response]);
    expect((await view()).run.status).toBe('idle');
    expect((await view()).open).toBeUndefined();
  });
});

describe('other endings [T16]', () => {
  it.each<[string, () => ScriptedPart]>([
    ['an error part', () => ({ error: new Error('secret detail') })],
    ['a broken stream', () => ({ wait: Promise.reject(new Error('secret detail')) })],
  ])('a failure by %s releases the text and ends in one safe error [T16]', async (_case, fault) => {
    const steps: (() => ScriptedStep)[] = [
      () => [weather, pay(1)],
      () => [{ text: 'I was' }, fault()],
      () => [{ text: 'Yes?' }],
    ];
    const { model, say, answer, view } = flowFixture((_options, number) => steps[number]?.() ?? [], {
      logger: silent,
    });
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect(checkResponseTiming([first, second], { finished: true })).toEqual([]);
    expect(second.at(-1)?.type).toBe('error');
    expect(JSON.stringify(second)).not.toContain('secret');
    expect(textOf(second)).toBe('I was');
    expect(second.filter((chunk) => chunk.type === 'tool-output-available')).toHaveLength(2);
    expect((await view()).run.status).toBe('failed');
    await say('Again?');
    expect(model.calls[2]?.prompt.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('a failed request fails the turn before any text [T16]', async () => {
    const { chat } = flowFixture([[{ reject: new Error('secret detail') }]], { logger: silent });
    const response = await chat().say('Go.');
    expect(types(response)).toEqual(['start', 'start-step', 'finish-step', 'error']);
    expect(JSON.stringify(response)).not.toContain('secret');
  });

  it('a new message releases what the old turn withheld and withdraws its question [T16, H8]', async () => {
    const { model, say, view } = flowFixture([
      [{ text: 'May I?' }, weather, pay(1), pay(2)],
      [{ text: 'Fine.' }],
    ]);
    const first = await say('Go.');
    const second = await say('Forget it.');
    expect(checkResponseTiming([second], { finished: true })).toEqual([]);
    expect(second[0]).not.toEqual(first[0]);
    const parts = (await view()).messages[1]?.parts ?? [];
    expect(parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-pay', state: 'output-denied', approval: { approved: false, reason: 'superseded' } },
      { type: 'step-start' },
      { type: 'text', text: 'May I?' },
      { type: 'tool-weather', state: 'output-available' },
      { type: 'tool-pay', state: 'output-error' },
    ]);
    expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(model.calls[1]?.prompt[2]?.content).toMatchObject([
      { toolName: 'weather', output: { type: 'text' } },
      { output: { type: 'execution-denied', reason: expect.stringContaining('superseded') } },
      { output: { type: 'error-text' } },
    ]);
  });
});
