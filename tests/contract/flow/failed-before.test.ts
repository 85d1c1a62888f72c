import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { questionJson } from '../../../lib/views/questions/question-json.ts';
import { ada, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';

const bob = { id: 'bob', name: 'Bob' };
const inputSchema = z.object({ iban: z.string().optional() });

/** `search` fails as given, `look` needs no approval and fails, and `pay` works. */
function failing(script: ScriptedStep[], error: unknown, settings: Partial<FlowSettings> = {}) {
  const fails = async (): Promise<string> => {
    throw error;
  };
  const tools: ToolSet = {
    search: tool({ inputSchema, needsApproval: true, execute: fails }),
    look: tool({ inputSchema, execute: fails }),
    pay: tool({ inputSchema, needsApproval: true, execute: async () => 'Paid.' }),
  };
  return flowFixture(script, { tools, toolDetails: { search: { title: 'Customer search' } }, ...settings });
}

const searchThenPay: ScriptedStep[] = [
  [{ call: 'search', id: 'one' }],
  [{ call: 'pay', id: 'two' }],
  [{ text: 'Done.' }],
];
const failure = {
  toolCallId: 'one',
  toolName: 'search',
  title: 'Customer search',
  outcome: 'failed',
  error: 'The index is broken.',
};

describe('a question says which calls of its turn failed before, and why [S4]', () => {
  it('on the wire, in the inbox, in the stored chat and after a restart, while T2 withholds the result [S4, T2]', async () => {
    const { flow, store, say, answer, view, id } = failing(searchThenPay, new Error('The index is broken.'));
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect(descriptorIn(first)).not.toHaveProperty('earlier');
    expect(descriptorIn(second).earlier).toEqual([failure]);
    expect(types(second).filter((type) => type.startsWith('tool-output'))).toEqual([]);

    const approvalId = parseApprovalId(questionIn(second));
    const stored = await flow.approvals.read({ approvalId, principal: ada });
    expect(questionJson(stored).earlier).toEqual([failure]);
    const { messages, questions } = await view();
    expect(questions.at(-1)?.earlier).toEqual([failure]);
    expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ approval: { descriptor: { earlier: [failure] } } });

    const { flow: next } = flowFixture([], { store });
    expect((await next.chats.read({ chatId: id, principal: ada })).questions.at(-1)?.earlier).toEqual([
      failure,
    ]);
  });

  it('of calls without a question too, and says so if an outcome is unknown [S4]', async () => {
    const lost = Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
    const script: ScriptedStep[] = [[{ call: 'look', id: 'one' }], [{ call: 'pay' }]];
    const { chat } = failing(script, lost);
    expect(descriptorIn(await chat().say('Go.')).earlier).toEqual([
      { toolCallId: 'one', toolName: 'look', outcome: 'unknown', error: 'The connection was reset.' },
    ]);
  });

  it('not of an earlier turn, nor of calls that worked [S4]', async () => {
    const script = [...searchThenPay, [{ call: 'pay' }, { call: 'pay' }]] satisfies ScriptedStep[];
    const { say, answer } = failing(script, new Error('The index is broken.'));
    await answer(questionIn(await answer(questionIn(await say('Go.')), true)), true);
    const next = await say('Again.');
    expect(descriptorIn(next)).not.toHaveProperty('earlier');
    expect(descriptorIn(await answer(questionIn(next), true))).not.toHaveProperty('earlier');
  });

  it('without secrets, and at most five of them with at most 500 characters each [S4]', async () => {
    const calls = Array.from({ length: 7 }, (_, at) => ({
      call: 'look',
      id: `call-${at}`,
      input: { iban: 'DE99-secret' },
    }));
    const { chat } = failing(
      [calls, [{ call: 'pay' }]],
      new Error(`DE99-secret is wrong. ${'.'.repeat(1_000)}`),
      { toolDetails: { look: { secrets: { input: ['iban'] } } } },
    );
    const chunks = await chat().say('Go.');
    const { earlier } = descriptorIn(chunks) as { earlier: { toolCallId: string; error: string }[] };
    expect(earlier.map(({ toolCallId }) => toolCallId)).toEqual([2, 3, 4, 5, 6].map((at) => `call-${at}`));
    expect(earlier.every(({ error }) => error.length === 501)).toBe(true);
    expect(JSON.stringify(chunks)).not.toContain('DE99-secret');
  });

  it('without the error, for people who may answer but not see the chat [S4]', async () => {
    const { flow, say, answer } = failing(searchThenPay, new Error('The index is broken.'), {
      mayAnswer: () => true,
    });
    const second = await answer(questionIn(await say('Go.')), true);
    const approvalId = parseApprovalId(questionIn(second));
    const { error: _error, ...known } = failure;
    expect((await flow.approvals.read({ approvalId, principal: bob })).earlier).toEqual([known]);
    expect((await flow.approvals.read({ approvalId, principal: ada })).earlier).toEqual([failure]);
  });
});

function descriptorIn(chunks: readonly object[]): Record<string, unknown> {
  const asked = chunks.find((chunk) => 'approvalDescriptor' in chunk);
  return (asked as { approvalDescriptor: Record<string, unknown> }).approvalDescriptor;
}
