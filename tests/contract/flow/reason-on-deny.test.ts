import { describe, expect, it } from 'vitest';
import { type Principal, parseApprovalId } from '../../../lib/protocol/index.ts';
import { questionJson } from '../../../lib/views/questions/question-json.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const bob: Principal = { id: 'bob', name: 'Bob' };
const script = [[{ call: 'pay', input: { to: 'alice', amount: 5 } }], [{ text: 'Done.' }]];

describe('a tool that asks for a reason with each denial', () => {
  it.each([
    { reasonOnDeny: true, sent: true },
    { reasonOnDeny: false, sent: undefined },
    { reasonOnDeny: undefined, sent: undefined },
  ])('marks its questions, in the chat and in the inbox, only when set: $reasonOnDeny', async (row) => {
    const { chat, flow } = flowFixture(script, { toolDetails: { pay: { reasonOnDeny: row.reasonOnDeny } } });
    const asked = (await chat().say('Pay.')).find(({ type }) => type === 'tool-approval-request');
    const inChat = asked?.type === 'tool-approval-request' ? asked.approvalDescriptor : undefined;
    const [question] = (await flow.approvals.list({ principal: ada, state: 'open' })).items;
    expect((inChat as { reasonOnDeny?: unknown } | undefined)?.reasonOnDeny).toBe(row.sent);
    expect(question && questionJson(question).reasonOnDeny).toBe(row.sent);
  });

  it('does not mark them for people who may not answer, and accepts a denial without a reason', async () => {
    const { chat, flow, say } = flowFixture(script, {
      toolDetails: { pay: { reasonOnDeny: true, approvers: ({ id }) => id === bob.id } },
    });
    const approvalId = parseApprovalId(questionIn(await say('Pay.')));
    const [shown] = (await flow.approvals.list({ principal: bob, state: 'open' })).items;
    expect(shown?.reasonOnDeny).toBe(true);
    expect((await chat().view())?.questions[0]?.reasonOnDeny).toBeUndefined();
    await flow.approvals.answer({ principal: bob, via: 'http', approvalId, approved: false });
    expect((await flow.approvals.read({ principal: bob, approvalId })).state).toBe('denied');
  });
});
