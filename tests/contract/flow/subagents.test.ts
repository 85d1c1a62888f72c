import { timelineOf } from 'countersign/views';
import { describe, expect, it } from 'vitest';
import { checkLog } from '../../support/check-log.ts';
import { framed, questionIn, questionTypes, types } from '../../support/flow-fixture.ts';
import { pay, research, subagentFixture } from '../../support/subagent-fixture.ts';

const toResearch = [research('r')];
const done = [{ text: 'Done.' }];

describe('a subagent works within its call [ADR 0035]', () => {
  it('runs its own steps and calls, and its last text is the result', async () => {
    const { model, agentModel, agentRan, store, say, view, events, id } = subagentFixture(
      [toResearch, done],
      [[{ text: 'Let me see.' }, { call: 'look', id: 'l', input: {} }], [{ text: 'It is 42.' }]],
    );
    const chunks = await say('Go.');
    expect(agentRan).toEqual([{ tool: 'look', input: {}, principal: 'ada' }]);
    expect(agentModel.calls[0]?.prompt).toMatchObject([
      { role: 'system', content: 'You research.' },
      { role: 'user', content: [{ text: 'Task: find' }] },
    ]);
    expect(agentModel.calls[0]?.tools?.map(({ name }) => name)).toEqual(['pay', 'look']);
    expect(agentModel.calls[1]?.prompt.slice(2)).toMatchObject([
      { role: 'assistant', content: [{ text: 'Let me see.' }, { toolCallId: 'l', toolName: 'look' }] },
      { role: 'tool', content: [{ toolCallId: 'l', toolName: 'look', output: { value: 'look done' } }] },
    ]);
    expect(model.calls[1]?.prompt.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ toolCallId: 'r', toolName: 'research' }] },
      { role: 'tool', content: [{ toolCallId: 'r', output: { type: 'text', value: 'It is 42.' } }] },
    ]);
    expect(JSON.stringify(chunks)).not.toContain('Let me see.');
    expect((await view()).messages.at(-1)?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'Done.' },
      { type: 'tool-research', state: 'output-available', output: 'It is 42.' },
      { type: 'dynamic-tool', toolName: 'research/look', title: 'research → look', output: 'look done' },
    ]);
    const log = await store.events.read(id, 0);
    expect(checkLog(log)).toEqual([]);
    expect(timelineOf(id, await events()).spans.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'model Step 1',
      'model research: step 1',
      'tool research → look',
      'model research: step 2',
      'tool research',
      'model Step 2',
    ]);
  });

  it('asks its questions in the chat, with their path, and one at a time', async () => {
    const { flow, agentRan, agentModel, model, store, say, answer, view, id } = subagentFixture(
      [toResearch, done],
      [[pay('one'), pay('two', 6)], [{ text: 'Paid both.' }]],
    );
    const first = await say('Go.');
    expect(types(first)).toEqual(framed(...questionTypes));
    expect((await view()).questions).toMatchObject([
      { toolName: 'research/pay', title: 'research → pay', position: { index: 1, of: 2 }, state: 'open' },
    ]);
    const waiting = await store.events.read(id, 0);
    expect(waiting.some(({ type }) => type === 'tool-started')).toBe(false);
    expect((await store.chats.head(id))?.status).toBe('waiting');
    const second = await answer(questionIn(first), true);
    await answer(questionIn(second), false, { reason: 'Too much.' });
    expect(agentRan.map(({ input }) => input)).toEqual([{ to: 'alice', amount: 5 }]);
    expect(agentModel.calls[1]?.prompt.at(-1)).toMatchObject({
      content: [
        { toolCallId: 'one', output: { value: 'pay done' } },
        {
          toolCallId: 'two',
          output: { type: 'execution-denied', reason: 'This call was denied: Too much.' },
        },
      ],
    });
    expect(model.calls).toHaveLength(2);
    expect(checkLog(await store.events.read(id, 0))).toEqual([]);
    await flow.close();
  });
});
