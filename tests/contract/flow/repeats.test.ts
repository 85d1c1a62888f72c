import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const day = 24 * 60 * 60 * 1000;
const pay = (amount: number, id: string): ScriptedPart => ({
  call: 'pay',
  input: { to: 'alice', amount },
  id,
});
const text: ScriptedPart = { text: 'Done.' };

function descriptorIn(chunks: readonly UIMessageChunk[]): Record<string, unknown> {
  const chunk = chunks.find((found) => found.type === 'tool-approval-request' && !found.isAutomatic);
  return (chunk as { approvalDescriptor: Record<string, unknown> }).approvalDescriptor;
}

describe('a question says when the same call ran a short time ago [H13]', () => {
  it('in the same chat: on the wire, in the inbox and in the stored chat [H13]', async () => {
    const clock = fakeClock();
    const { flow, say, answer, view } = flowFixture([[pay(1, 'one')], [text], [pay(1, 'two')]], { clock });
    const first = await say('Pay.');
    expect(descriptorIn(first)).not.toHaveProperty('repeatOf');
    const at = clock.now();
    await answer(questionIn(first), true);
    await clock.advance(2 * 60_000);
    const second = await say('Pay.');
    const iso = new Date(at).toISOString();
    expect(descriptorIn(second).repeatOf).toEqual({
      at: iso,
      outcome: 'completed',
      chatId: 'chat',
      toolCallId: 'one',
    });
    const approvalId = parseApprovalId(questionIn(second));
    const repeatOf = { at, outcome: 'completed', chatId: 'chat', toolCallId: 'one' };
    expect((await flow.approvals.read({ approvalId, principal: ada })).repeatOf).toEqual(repeatOf);
    expect((await view()).questions.at(-1)?.repeatOf).toEqual(repeatOf);
    expect((await view()).questions[0]).not.toHaveProperty('repeatOf');
  });

  it('within one step: the second of two equal calls [H13]', async () => {
    const { say, answer } = flowFixture([[pay(1, 'one'), pay(1, 'two'), pay(2, 'three')], [text]]);
    const second = await answer(questionIn(await say('Pay.')), true);
    expect(descriptorIn(second).repeatOf).toMatchObject({ outcome: 'completed', toolCallId: 'one' });
    expect(descriptorIn(await answer(questionIn(second), true))).not.toHaveProperty('repeatOf');
  });

  it('not with other arguments, or more than a day later [H13]', async () => {
    const clock = fakeClock();
    const script = [[pay(1, 'one')], [text], [pay(2, 'two')], [text], [pay(1, 'three')]];
    const { say, answer } = flowFixture(script, { clock });
    await answer(questionIn(await say('Pay.')), true);
    const other = await say('Pay.');
    expect(descriptorIn(other)).not.toHaveProperty('repeatOf');
    await answer(questionIn(other), false);
    await clock.advance(day + 1);
    expect(descriptorIn(await say('Pay.'))).not.toHaveProperty('repeatOf');
  });

  it('by what ran, not by what was proposed [H13]', async () => {
    const script = [[pay(1, 'one')], [text], [pay(1, 'two')], [text], [pay(2, 'three')]];
    const { say, answer } = flowFixture(script);
    await answer(questionIn(await say('Pay.')), true, { input: { to: 'alice', amount: 2 } });
    const second = await say('Pay.');
    expect(descriptorIn(second)).not.toHaveProperty('repeatOf');
    await answer(questionIn(second), false);
    expect(descriptorIn(await say('Pay.')).repeatOf).toMatchObject({ toolCallId: 'one' });
  });

  it('in any order of the arguments’ names [H13]', async () => {
    const turned: ScriptedPart = { call: 'pay', input: { amount: 1, to: 'alice' }, id: 'two' };
    const { say, answer } = flowFixture([[pay(1, 'one')], [text], [turned]]);
    await answer(questionIn(await say('Pay.')), true);
    expect(descriptorIn(await say('Pay.')).repeatOf).toMatchObject({ toolCallId: 'one' });
  });

  it('not for a call that was denied, or approved and never started [H13]', async () => {
    const script = [[pay(1, 'one')], [text], [pay(1, 'two')], [text]];
    const { say, answer } = flowFixture(script);
    await answer(questionIn(await say('Pay.')), false);
    expect(descriptorIn(await say('Pay.'))).not.toHaveProperty('repeatOf');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['failed', () => Promise.reject(new Error('No funds.'))],
    ['unknown', () => Promise.reject(Object.assign(new Error('The line broke.'), { code: 'ECONNRESET' }))],
  ])('and that its outcome was %s [H13]', async (outcome, execute) => {
    const tools = { pay: tool({ inputSchema: z.object({}), needsApproval: true, execute }) } as ToolSet;
    const { say, answer } = flowFixture([[{ call: 'pay' }], [text], [{ call: 'pay' }]], {
      tools,
      retry: false,
    });
    await answer(questionIn(await say('Pay.')), true);
    expect(descriptorIn(await say('Pay.')).repeatOf).toMatchObject({ outcome });
  });

  it('and that the other one is still running [H13]', async () => {
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const execute = async () => {
      reach();
      await open;
      return 'paid';
    };
    const tools = { pay: tool({ inputSchema: z.object({}), needsApproval: true, execute }) } as ToolSet;
    const { chat } = flowFixture([[{ call: 'pay' }], [{ call: 'pay' }], [text]], { tools });
    const first = chat('first');
    const running = first.answer(questionIn(await first.say('Pay.')), true);
    await reached;
    expect(descriptorIn(await chat('second').say('Pay.')).repeatOf).toMatchObject({ outcome: 'running' });
    release();
    await running;
  });

  it('for an ungated call of the same tool, with no cost for a tool that never asks [H13]', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const marks: number[] = [];
    const append: typeof store.append = (batch) => {
      marks.push(batch.calls?.length ?? 0);
      return store.append(batch);
    };
    const tools = {
      pay: tool({
        inputSchema: z.object({ amount: z.number() }),
        needsApproval: (_input, { messages }) => messages.length > 1,
        execute: () => 'paid',
      }),
      look: tool({ inputSchema: z.object({}), execute: () => 'seen' }),
    } as ToolSet;
    const call: ScriptedPart = { call: 'pay', input: { amount: 1 } };
    const { say } = flowFixture([[call, { call: 'look' }], [text], [call]], {
      tools,
      store: { ...store, append },
    });
    await say('Pay.');
    expect(marks.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(descriptorIn(await say('Pay.')).repeatOf).toMatchObject({ outcome: 'completed' });
  });

  it('with a warning about the same payment after a regenerate [H7, H13]', async () => {
    const { read, say, answer, ask } = flowFixture([[pay(1, 'one')], [text], [pay(1, 'two')]]);
    await answer(questionIn(await say('Pay.')), true);
    const asked = await read(await ask({ trigger: 'regenerate-message' }));
    expect(descriptorIn(asked).repeatOf).toMatchObject({ outcome: 'completed', toolCallId: 'one' });
  });
});
