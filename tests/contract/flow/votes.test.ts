import { type FlowSettings, notTheAsker } from 'countersign';
import { delegation } from 'countersign/plugins/delegation';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../lib/protocol/index.ts';
import { delegationOf, directory } from '../../support/delegation-fixture.ts';
import { ada, lasting, questionIn, types } from '../../support/flow-fixture.ts';
import { bob, byApprovers, cleo, dan, votingFixture } from '../../support/votes-fixture.ts';

const person = ({ id, name }: Principal) => ({ id, name });

describe('A question that two people must approve', () => {
  it('is open with its votes after the first, and the call runs after the second', async () => {
    const { first, vote, question, ran, rests, events } = await votingFixture();
    const asked = first.find((chunk) => chunk.type === 'tool-approval-request');
    expect(asked).toMatchObject({ approvalDescriptor: { plugins: { votes: { needed: 2 } } } });

    const open = await vote(bob, true, { reason: 'Checked.' });
    expect(open).toMatchObject({ state: 'open', mayAnswer: false, hasAnswered: true });
    const cast = [{ approved: true, by: person(bob), reason: 'Checked.', via: 'http' }];
    expect(open).toMatchObject({ plugins: { votes: { needed: 2 } }, answers: cast });
    expect(open.runId).toBeUndefined();
    expect(ran).toEqual([]);
    expect(await question(cleo)).toMatchObject({ state: 'open', mayAnswer: true });

    const settled = await vote(cleo);
    expect(settled).toMatchObject({
      state: 'approved',
      answers: [{ by: person(bob) }],
      answer: { by: person(cleo) },
    });
    expect(settled.runId).toBeDefined();
    await rests();
    expect(ran).toEqual([{ amount: 5, approvers: [person(bob), person(cleo)] }]);
    const log = await events();
    expect(log.filter(({ type }) => type === 'answer-recorded')).toHaveLength(1);
    expect(log.filter(({ type }) => type === 'approval-answered')).toHaveLength(1);
  });

  it('answers a vote in the chat with the question only, without a step and without the call', async () => {
    const { first, voteInChat, approvalId, rests } = await votingFixture();
    const response = await voteInChat(bob);
    expect(types(response)).toEqual(['start', 'tool-approval-request', 'finish']);
    expect(response).toEqual(lasting(response));
    expect(response[0]).toMatchObject({ messageId: (first[0] as { messageId: string }).messageId });
    const plugins = { votes: { needed: 2 } };
    expect(response[1]).toMatchObject({
      approvalId,
      toolCallId: 'pay-1',
      approvalDescriptor: { mayAnswer: false, hasAnswered: true, plugins, answers: [{ by: { id: 'bob' } }] },
    });
    expect(types(await voteInChat(cleo)).slice(0, 3)).toEqual([
      'start',
      'start-step',
      'tool-approval-response',
    ]);
    await rests();
  });

  it('names only those who may still vote as people who may answer', async () => {
    const { people } = directory(ada, bob, cleo, dan);
    const { flow, approvalId, vote } = await votingFixture({ plugins: [delegation({ people })] });
    const named = async () =>
      (await flow.approvals.read({ principal: dan, approvalId })).plugins?.delegation?.eligible;
    expect(await named()).toEqual([bob, cleo, dan].map(person));
    await vote(bob);
    expect(await named()).toEqual([cleo, dan].map(person));
  });

  it('does not take the delegated right of a person who has voted, but that of another giver', async () => {
    const eve: Principal = { id: 'eve', name: 'Eve' };
    const { people } = directory(ada, bob, cleo, eve);
    const { flow, vote, clock } = await votingFixture({ plugins: [delegation({ people })] });
    const delegate = (from: Principal) =>
      delegationOf(flow).give({ principal: from, to: eve.id, until: clock.now() + 60_000 });
    await delegate(bob);
    await vote(bob);
    await expect(vote(eve)).rejects.toMatchObject({ code: 'forbidden' });
    await delegate(cleo);
    const answer = { by: person(eve), onBehalfOf: person(cleo) };
    expect(await vote(eve)).toMatchObject({ state: 'approved', answers: [{ by: person(bob) }], answer });
  });

  it('shows in the stored message who had voted, as the stream did', async () => {
    const { vote, rests, flow, chat } = await votingFixture();
    await vote(bob);
    await vote(cleo);
    await rests();
    const shownTo = async (principal: Principal) =>
      (await flow.chats.read({ chatId: chat.id, principal })).messages
        .flatMap(({ parts }) => parts)
        .flatMap((part) => ('approval' in part ? part.approval : []));
    expect(await shownTo(bob)).toMatchObject([{ descriptor: { mayAnswer: false, hasAnswered: true } }]);
    expect(await shownTo(cleo)).toMatchObject([{ descriptor: { mayAnswer: true } }]);
  });

  it.each([
    ['a denial after an approval', false, {}],
    ['another reason', true, { reason: 'Or not.' }],
    ['other arguments', true, { input: { to: 'alice', amount: 6 } }],
  ] as const)('refuses %s by the same person, with the earlier vote', async (_, approved, more) => {
    const { vote, voteInChat, question } = await votingFixture();
    await vote(bob);
    const earlier = { code: 'already-answered', fields: { answer: { approved: true, by: person(bob) } } };
    await expect(vote(bob, approved, more)).rejects.toMatchObject(earlier);
    await expect(voteInChat(bob, approved, more)).rejects.toMatchObject(earlier);
    expect((await question()).answers).toHaveLength(1);
  });

  it('runs although one person denied, if two must deny', async () => {
    const details = { approvers: byApprovers, votes: { count: 2, denials: 2 } };
    const { vote, ran, rests } = await votingFixture({}, details);
    await vote(bob, false);
    await vote(cleo);
    expect(await vote(dan)).toMatchObject({ state: 'approved' });
    await rests();
    expect(ran).toEqual([{ amount: 5, approvers: [person(cleo), person(dan)] }]);
  });

  it('tells the model the reasons of all who approved', async () => {
    const { vote, rests, model } = await votingFixture();
    await vote(bob, true, { reason: 'The invoice is real.' });
    await vote(cleo, true, { reason: 'Within budget.' });
    await rests();
    const prompt = JSON.stringify(model.calls.at(-1));
    expect(prompt).toContain('The invoice is real.\\nWithin budget.');
  });

  it('stays visible to a person who voted and may not see the chat', async () => {
    const { vote, question, flow } = await votingFixture({ mayRead: (who) => who.id === 'ada' });
    await vote(bob, true);
    expect(await question(bob)).toMatchObject({
      hasAnswered: true,
      mayAnswer: false,
      context: { maySeeChat: false },
    });
    const { items } = await flow.approvals.list({ principal: bob, state: 'open' });
    expect(items).toMatchObject([{ hasAnswered: true, plugins: { votes: { needed: 2 } } }]);
    await expect(question({ id: 'eve', name: 'Eve' })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('Each vote is checked as an answer is', () => {
  const rules: readonly [
    string,
    Partial<FlowSettings>,
    Parameters<typeof votingFixture>[1],
    Principal,
    object,
    string,
  ][] = [
    ['the rule', {}, {}, ada, {}, 'forbidden'],
    ['four eyes', {}, { approvers: notTheAsker, votes: { count: 2 } }, ada, {}, 'forbidden'],
    ['a recent sign-in', {}, { stepUp: { maxAgeMs: 1_000 } }, bob, {}, 'step-up-required'],
    ['what was shown', {}, {}, bob, { digest: 'another' }, 'input-mismatch'],
    [
      'the effect',
      {},
      { preview: () => ({ summary: 'Pays.' }) },
      bob,
      { previewDigest: 'x' },
      'preview-changed',
    ],
  ];
  it.each(rules)('%s', async (_, settings, details, who, more, code) => {
    const { vote, question } = await votingFixture(settings, details);
    await expect(vote(who, true, more)).rejects.toMatchObject({ code });
    expect((await question()).answers).toBeUndefined();
  });

  it('a pause', async () => {
    const { vote, flow } = await votingFixture({ mayOperate: () => true });
    await flow.tools.pause({ principal: ada, tool: 'pay', reason: 'Audit.' });
    await expect(vote(bob)).rejects.toMatchObject({ code: 'paused' });
    expect(await vote(bob, false)).toMatchObject({ state: 'denied' });
  });

  it('the deadline', async () => {
    const { vote, clock } = await votingFixture({ deadlineMs: 1_000 });
    await vote(bob);
    await clock.advance(1_001);
    await expect(vote(cleo)).rejects.toMatchObject({ code: 'expired' });
  });
});

describe('Arguments that a voter edits', () => {
  const edit = { input: { to: 'alice', amount: 3 } };

  it('are asked about again, with the vote of the person who edited them, and without those before', async () => {
    const { vote, question, approvalId, ran, rests, model } = await votingFixture();
    await vote(cleo);
    const again = await vote(bob, true, { ...edit, reason: 'Less.' });
    expect(again.id).not.toBe(approvalId);
    expect(again).toMatchObject({
      state: 'open',
      replaces: approvalId,
      input: edit.input,
      description: 'Pay alice 3.',
      editedBy: person(bob),
      hasAnswered: true,
      plugins: { votes: { needed: 2 } },
      droppedAnswers: 1,
      answers: [{ by: person(bob), approved: true, reason: 'Less.' }],
    });
    expect(await question()).toMatchObject({ state: 'tool-changed' });
    await expect(vote(dan)).rejects.toMatchObject({
      code: 'question-changed',
      fields: { replacedBy: again.id },
    });
    expect(ran).toEqual([]);
    // Who voted on the old arguments may vote on the new ones.
    expect(await vote(cleo, true, {}, again.id)).toMatchObject({ state: 'approved' });
    await rests();
    expect(ran).toMatchObject([{ amount: 3 }]);
    const prompt = JSON.stringify(model.calls.at(-1));
    expect(prompt).toContain('The arguments were edited to: {\\"to\\":\\"alice\\",\\"amount\\":3}');
  });

  it('drop all earlier answers, however many there are', async () => {
    const { vote, ran } = await votingFixture({}, { votes: { count: 3 } });
    await vote(cleo);
    await vote(dan);
    expect(await vote(bob, true, edit)).toMatchObject({
      state: 'open',
      input: edit.input,
      droppedAnswers: 2,
      answers: [{ by: person(bob) }],
    });
    expect(ran).toEqual([]);
  });

  it('are answered in the chat by the withdrawal and the new question', async () => {
    const { voteInChat } = await votingFixture();
    const response = await voteInChat(bob, true, edit);
    const asked = response.filter((chunk) => chunk.type === 'tool-approval-request').at(-1);
    expect(asked).toMatchObject({
      approvalDescriptor: { editedBy: person(bob), hasAnswered: true, answers: [{ by: person(bob) }] },
    });
    expect(types(response)).toContain('tool-approval-response');
    expect(await voteInChat(bob, true, {}, questionIn([asked as never]))).toHaveLength(3);
  });

  it.each([
    ['in the inbox', 'vote'],
    ['in the chat', 'voteInChat'],
  ] as const)('that the policy denies are no vote on the next call: %s', async (_, by) => {
    const toolApproval: FlowSettings['toolApproval'] = async ({ toolCall: { input } }) =>
      (input as { amount: number }).amount === 3
        ? { type: 'denied', reason: 'Too little.' }
        : 'user-approval';
    const calls = ['pay-1', 'pay-2'].map((id, index) => ({
      call: 'pay',
      id,
      input: { to: 'alice', amount: 5 + index },
    }));
    const voting = await votingFixture({ toolApproval }, {}, [calls, [{ text: 'Paid.' }]]);
    const { flow, approvalId, ran } = voting;
    const given = voting[by](bob, true, edit);
    if (by === 'vote') {
      const refusal = await given.catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'question-changed' });
      expect(refusal).not.toHaveProperty('fields.replacedBy');
    } else await given;
    const { items } = await flow.approvals.list({ principal: bob, state: 'open' });
    expect(items).toMatchObject([
      { toolCallId: 'pay-2', state: 'open', mayAnswer: true, plugins: { votes: { needed: 2 } } },
    ]);
    expect(items[0]?.id).not.toBe(approvalId);
    expect(ran).toEqual([]);
  });

  it('are refused to those who may not approve what they wrote', async () => {
    const { vote } = await votingFixture({}, { approvers: notTheAsker, votes: { count: 2 } });
    await expect(vote(bob, true, edit)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('run at once if one approval is enough', async () => {
    const details = { approvers: byApprovers, votes: { count: 1, denials: 2 } };
    const { vote, ran, rests } = await votingFixture({}, details);
    expect(await vote(bob, true, edit)).toMatchObject({ state: 'approved', answer: { input: edit.input } });
    await rests();
    expect(ran).toMatchObject([{ amount: 3 }]);
  });

  it('are no edit if they are those of the question', async () => {
    const { vote } = await votingFixture();
    expect(await vote(bob, true, { input: { to: 'alice', amount: 5 } })).toMatchObject({
      state: 'open',
      hasAnswered: true,
    });
  });
});
