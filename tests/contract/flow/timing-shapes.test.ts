import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import type { ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' } };
const data = (chunks: readonly UIMessageChunk[], type: `data-${string}`) =>
  chunks.flatMap((chunk) => (chunk.type === type && 'data' in chunk ? [chunk] : []));
describe('shapes', () => {
  it('reports each change of a call, with times in UTC and never with the output [S1, S2]', async () => {
    const { say, answer } = flowFixture([[weather, pay(1), pay(2)], [{ text: 'Done.' }]]);
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

  it('sends the text as it grows in transient drafts [S3, T6]', async () => {
    const { say, view } = flowFixture([[{ text: ['Let ', 'me see.'] }, pay(1)]]);
    const drafts = data(await say('Go.'), 'data-draft');
    expect(drafts.every((chunk) => 'transient' in chunk && chunk.transient === true)).toBe(true);
    expect(drafts.map((chunk) => (chunk.data as { delta: string }).delta).join('')).toBe('Let me see.');
    expect(new Set(drafts.map((chunk) => (chunk.data as { textId: string }).textId)).size).toBe(1);
    expect((await view()).draft).toBe('Let me see.');
  });

  it('describes the question to the card [H13, S5]', async () => {
    const { say, answer } = flowFixture([[pay(7), weather, pay(8)]], {
      toolDetails: {
        pay: {
          title: 'Pay somebody',
          describe: ((input: { to: string; amount: number }) => `Pay ${input.to} ${input.amount}.`) as never,
          risk: 'high',
        },
      },
    });
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect([...first, ...second].filter((chunk) => chunk.type === 'tool-approval-request')).toMatchObject([
      {
        approvalDescriptor: {
          title: 'Pay somebody',
          description: 'Pay alice 7.',
          risk: 'high',
          requestedAt: expect.stringMatching(/^\d{4}-.+Z$/),
          position: { index: 1, of: 2 },
          askedBy: { id: 'ada', name: 'Ada' },
          mayAnswer: true,
          mayEdit: true,
          mayRemember: false,
        },
      },
      { approvalDescriptor: { description: 'Pay alice 8.', position: { index: 2, of: 2 } } },
    ]);
  });

  it('shows a card with an outcome the same as its lifecycle reports, live and after a reload [S6]', async () => {
    let tries = 0;
    const flaky = tool({
      inputSchema: z.looseObject({}),
      execute: async () => {
        tries += 1;
        if (tries === 1) throw Object.assign(new Error('Busy.'), { statusCode: 503 });
        return ['one', 'two'];
      },
    });
    const broken = tool({
      inputSchema: z.looseObject({}),
      execute: async (): Promise<string> => {
        throw new Error('Broken.');
      },
    });
    const { say, view } = flowFixture([[{ call: 'flaky' }, { call: 'broken' }], [{ text: 'Done.' }]], {
      tools: { flaky, broken } as ToolSet,
      toolDetails: { flaky: { idempotent: true } },
    });
    const chunks = await say('Go.');
    const facts = (name: string) => chunks.find((chunk) => chunk.type === name);
    const told = [
      { summary: '2 results', resultCount: 2, durationMs: expect.any(Number), wasRetried: true },
      { durationMs: expect.any(Number) },
    ];
    expect([facts('tool-output-available'), facts('tool-output-error')]).toEqual(
      told.map((countersign) => expect.objectContaining({ toolMetadata: { countersign } })),
    );
    const parts = (await view()).messages.at(-1)?.parts.filter(({ type }) => type.startsWith('tool-'));
    expect(parts).toEqual(
      told.map((countersign) => expect.objectContaining({ toolMetadata: { countersign } })),
    );
  });

  it('returns every question of a chat with its answer, oldest first, as this person may see it [H4]', async () => {
    const { say, answer, view } = flowFixture([[pay(1), pay(2), pay(3)], [{ text: 'Done.' }]]);
    const second = await answer(questionIn(await say('Go.')), false, { reason: 'Too soon.' });
    await answer(questionIn(second), true, { input: { to: 'bob', amount: 9 } });
    const by = { id: 'ada', name: 'Ada' };
    expect((await view()).questions).toMatchObject([
      { state: 'denied', answer: { approved: false, reason: 'Too soon.', by, via: 'test' } },
      { state: 'approved', input: { amount: 2 }, answer: { input: { to: 'bob', amount: 9 }, by } },
      { state: 'open', mayAnswer: true, mayEdit: true, mayRemember: false },
    ]);
  });

  it('sends the schema of the arguments only to people who may edit them [H9]', async () => {
    const { chat, flow } = flowFixture([[pay(1)]], {
      mayChange: () => true,
      mayAnswer: ({ id }) => id === 'eve',
    });
    const approvalId = parseApprovalId(questionIn(await chat().say('Go.')));
    const eve = { id: 'eve', name: 'Eve' };
    const properties = { to: { type: 'string' }, amount: { type: 'number' } };
    expect(await flow.approvals.read({ approvalId, principal: eve })).toMatchObject({
      mayEdit: true,
      mayRemember: false,
      inputSchema: { type: 'object', properties },
    });
    const own = await flow.approvals.read({ approvalId, principal: { id: 'ada', name: 'Ada' } });
    expect(own).toMatchObject({ mayAnswer: false, mayEdit: false, mayRemember: false });
    expect(own).not.toHaveProperty('inputSchema');
  });
});
