import { lastAssistantMessageIsCompleteWithApprovalResponses, type ToolSet, tool, type UIMessage } from 'ai';
import { askPerson, createApprovalFlow, type FlowSettings, type Principal } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import * as bidi from 'countersign/bidi';
import { preApprovals } from 'countersign/plugins/pre-approvals';
import { remembered } from 'countersign/plugins/remembered';
import { votes } from 'countersign/plugins/votes';
import * as sse from 'countersign/sse';
import { sqliteStore } from 'countersign/store';
import { type Script, scriptedModel } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { distinctAnswers } from '../../lib/rights/recorded-answers.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, types } from '../support/flow-fixture.ts';
import { preApprovalsOf } from '../support/pre-approvals-of.ts';
import { bob, byApprovers, cleo, dan, votingAgain, votingFixture } from '../support/votes-fixture.ts';

const { clause } = adr('0047-several-approvals.md');

const auditKey = 'an audit key for tests';

clause('0047.1', async () => {
  const former = { ...bob, id: 'key:bob' };
  const { vote, ran, rests } = await votingFixture({ formerIds: { 'key:bob': 'bob' } });
  await vote(former);
  const again = await vote(bob);
  expect(again).toMatchObject({ state: 'open', hasAnswered: true });
  expect(again.answers).toHaveLength(1);
  expect(ran).toEqual([]);
  await vote(cleo);
  await rests();
  expect(ran).toHaveLength(1);

  // Two who have answered turn out to be one person, on an instance that knows it.
  const store = sqliteStore({ path: ':memory:' });
  const three = { approvers: byApprovers, votes: { count: 3 } };
  const first = await votingFixture({ store }, three);
  await first.vote(former);
  await first.vote(bob);
  const { toolDetails, approvalId } = first;
  const later = votingAgain({ store, toolDetails, formerIds: { 'key:bob': 'bob' } });
  const answer = (principal: Principal) =>
    later.flow.approvals.answer({ approvalId, approved: true, principal, via: 'http' });
  expect(await answer(cleo)).toMatchObject({ state: 'open' });
  expect(await answer(dan)).toMatchObject({ state: 'approved' });
});

clause('0047.2', async () => {
  const { vote, voteInChat, events, approvalId } = await votingFixture(
    {},
    { approvers: byApprovers, votes: { count: 3 } },
  );
  const runs = async () => (await events()).filter(({ type }) => type === 'run-started').length;
  expect(types(await voteInChat(bob))).toEqual(['start', 'tool-approval-request', 'finish']);
  expect(await vote(cleo)).toMatchObject({
    id: approvalId,
    state: 'open',
    plugins: { votes: { needed: 3 } },
  });
  expect((await vote(cleo)).runId).toBeUndefined();
  expect(await runs()).toBe(1);

  const part = { type: 'tool-pay', toolCallId: 'pay-1', input: {} };
  const answered = { ...part, state: 'approval-responded', approval: { id: approvalId, approved: true } };
  const message = (...parts: object[]) =>
    [{ id: 'm', role: 'assistant', parts: [{ type: 'step-start' }, ...parts] }] as UIMessage[];
  for (const predicate of [sse.sendAutomaticallyWhen, lastAssistantMessageIsCompleteWithApprovalResponses]) {
    expect(predicate({ messages: message(answered) })).toBe(true);
    // The rejected response begins a step, and the answer is in the one before.
    expect(predicate({ messages: message(answered, { type: 'step-start' }) })).toBe(false);
  }
  expect(
    bidi.sendAutomaticallyWhen({ messages: message({ ...answered, state: 'approval-requested' }) }),
  ).toBe(false);
});

clause('0047.3', async () => {
  const first = await votingFixture();
  await first.vote(bob);
  const denied = { state: 'denied', answer: { by: { id: 'cleo' } } };
  expect(await first.vote(cleo, false, { reason: 'No.' })).toMatchObject(denied);
  const two = await votingFixture({}, { approvers: byApprovers, votes: { count: 2, denials: 2 } });
  const votes = { needed: 2, denials: 2 };
  expect(await two.vote(bob, false)).toMatchObject({ plugins: { votes }, answers: [{ approved: false }] });
  expect(await two.vote(cleo)).toMatchObject({ state: 'open' });
  expect(await two.vote(dan, false)).toMatchObject({ state: 'denied' });
  for (const { rests } of [first, two]) await rests();
  expect([...first.ran, ...two.ran]).toEqual([]);
});

clause('0047.4', async () => {
  const { voteInChat, vote } = await votingFixture({}, { approvers: byApprovers, votes: { count: 3 } });
  const response = await voteInChat(bob, true, { reason: 'Yes.' });
  await vote(cleo);
  expect(await voteInChat(bob, true, { reason: 'Yes.' })).toEqual(response);
  const cast = [{ by: { id: 'bob' } }, { by: { id: 'cleo' } }];
  expect(await vote(cleo)).toMatchObject({ state: 'open', answers: cast });
  const refused = { code: 'already-answered', fields: { answer: { approved: true, by: { id: 'bob' } } } };
  await expect(vote(bob, false)).rejects.toMatchObject(refused);
});

clause('0047.5', async () => {
  const { vote, question, approvalId, ran, rests } = await votingFixture();
  await vote(bob);
  const again = await vote(cleo, true, { input: { to: 'eve', amount: 9 } });
  expect(again).toMatchObject({ replaces: approvalId, editedBy: { id: 'cleo' }, droppedAnswers: 1 });
  expect(again.answers?.map(({ by }) => by.id)).toEqual(['cleo']);
  expect(ran).toEqual([]);
  const before = await question();
  expect(before).toMatchObject({ state: 'tool-changed', input: { to: 'alice', amount: 5 } });
  // With the votes on the other arguments, there would have been enough.
  const kept = [...(before.answers ?? []), ...(again.answers ?? [])];
  expect(distinctAnswers({}, kept)).toHaveLength(2);
  await vote(dan, true, {}, again.id);
  await rests();
  expect(ran).toMatchObject([{ amount: 9 }]);
});

clause('0047.6', async () => {
  const { vote, toolDetails, question, ran } = await votingFixture();
  await vote(bob);
  Object.assign(toolDetails.pay ?? {}, { approvers: byApprovers, votes: { count: 1 } });
  const refusal = await vote(cleo).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'question-changed' });
  expect(ran).toEqual([]);
  const { fields } = refusal as { fields: { replacedBy: string } };
  expect(await question(ada, fields.replacedBy)).toMatchObject({
    plugins: { votes: { needed: 1 } },
    droppedAnswers: 1,
  });
});

/** Bob has voted, and an administrator adds a vote of Eve. The next vote is then the third of three. */
async function forgedVote(settings: Partial<FlowSettings>) {
  const { store, administer } = administeredSqlite();
  const details = { approvers: byApprovers, votes: { count: 3 } };
  const fixture = await votingFixture({ store, ...settings }, details);
  const { vote, approvalId, rests, flow, chat, ran } = fixture;
  await vote(bob);
  const forged = {
    approvalId,
    toolCallId: 'pay-1',
    approved: true,
    by: { id: 'eve', name: 'Eve' },
    via: 'http',
  };
  await administer(`insert into events (chat, seq, at, run, body)
      select chat, seq + 1, updated_at, '', '${JSON.stringify({ type: 'answer-recorded', ...forged })}' from chats;
      update chats set seq = seq + 1`);
  await vote(cleo);
  await rests();
  return { ran, audit: () => flow.audit.read({ principal: ada, chatId: chat.id }) };
}

clause('0047.7', async () => {
  const { vote, rests, flow, chat } = await votingFixture({ auditKey });
  await vote(bob, true, { reason: 'Checked.' });
  await vote(cleo);
  await rests();
  const { entries, head } = await flow.audit.read({ principal: ada, chatId: chat.id });
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  expect(entries.map(({ type }) => type)).toEqual(['asked', 'recorded', 'answered', 'started', 'ended']);
  expect(entries[0]).toMatchObject({ plugins: { votes: { needed: 2 } } });
  expect(entries[1]).toMatchObject({
    by: { id: 'bob', role: 'approver' },
    reason: 'Checked.',
    rule: 'approvers',
  });

  const forged = await forgedVote({ auditKey });
  expect(forged.ran).toEqual([]);
  expect((await forged.audit()).faults).toMatchObject([{ type: 'unsealed', event: 'answer-recorded' }]);
  expect((await forgedVote({})).ran).toHaveLength(1);
});

clause('0047.8', async () => {
  const of = () => true;
  const pay = (id: string) => ({ call: 'pay', id, input: { to: 'alice', amount: 5 } });
  const script = [[pay('pay-1'), pay('pay-2')], [{ text: 'Paid.' }]];
  const { vote, question, flow, approvalId } = await votingFixture(
    { plugins: [preApprovals(), remembered()] },
    { approvers: of, votes: { count: 2 } },
    script,
  );
  expect(await question(ada)).toMatchObject({ mayAnswer: true, mayRemember: false });
  const remember = { scope: 'chat', match: 'tool' } as const;
  await expect(vote(ada, true, { plugins: { remembered: remember } })).rejects.toMatchObject({
    code: 'invalid-request',
  });
  expect((await question(ada)).answers).toBeUndefined();
  const [later] = await preApprovalsOf(flow).upcoming({ principal: ada, approvalId });
  expect(later).toMatchObject({ toolCallId: 'pay-2', onlyWhenDue: 'approvals' });
  const calls = [
    { toolCallId: later?.toolCallId as never, digest: later?.digest ?? '', approved: true as const },
  ];
  const inAdvance = preApprovalsOf(flow).give({ principal: ada, approvalId, via: 'test', calls });
  await expect(inAdvance).rejects.toMatchObject({ code: 'invalid-request' });
});

clause('0047.9', async () => {
  const inputSchema = z.object({});
  const server = tool({ inputSchema, needsApproval: true, execute: async () => 'done' });
  const client = tool({ inputSchema, needsApproval: true });
  const provider = {
    type: 'provider',
    id: 'openai.mcp',
    name: 'mcp',
    args: {},
    inputSchema,
    isProviderExecuted: true,
  };
  const create = (pay: unknown, details: object) => () =>
    createApprovalFlow({
      model: scriptedModel([]),
      store: sqliteStore({ path: ':memory:' }),
      tools: { pay } as ToolSet,
      toolDetails: { pay: details },
      plugins: [votes()],
    } as FlowSettings);
  const refused = (path: string) =>
    expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) });
  const two = { votes: { count: 2 } };
  const form = askPerson({ schema: z.object({ nights: z.number() }) });
  for (const each of [client, provider, form]) {
    expect(create(each, two)).toThrow(refused('toolDetails.pay.votes'));
  }
  for (const count of [0, 101, 1.5]) {
    expect(create(server, { votes: { count } })).toThrow(refused('toolDetails.pay.votes.count'));
  }
  expect(create(server, { votes: { count: 2, denials: 0 } })).toThrow(
    refused('toolDetails.pay.votes.denials'),
  );
  expect(create(server, { votes: {} })).toThrow(refused('toolDetails.pay.votes.count'));
  void create(server, two)().close();

  for (const pay of [client, form]) {
    const script: Script = [[{ call: 'pay', id: 'p', input: { question: 'How long?' } }], [{ text: 'No.' }]];
    const settings = {
      toolDetails: { pay: two },
      plugins: [votes()],
      logger: { warn: () => {}, error: () => {} },
    };
    const prepareCall = () => ({ model: scriptedModel([]), tools: { pay } }) as never;
    const prepared = flowFixture(script, { ...settings, tools: { pay: server } as ToolSet, prepareCall });
    await prepared.say('Pay.');
    expect((await prepared.store.events.read(prepared.id, 0)).at(-1)?.type).toBe('run-failed');
    // Added after the settings were checked.
    const tools: ToolSet = {};
    const late = flowFixture(script, { ...settings, tools, dynamicTools: true });
    tools.pay = pay as ToolSet[string];
    expect(types(await late.say('Pay.'))).toContain('tool-output-error');
  }
});

clause('0047.10', async () => {
  let role = 'approver';
  const of = (who: Principal) => who.role === 'approver' && (who.id !== 'bob' || role === 'approver');
  const { vote, ran, rests, question } = await votingFixture({}, { approvers: of, votes: { count: 2 } });
  await vote(bob);
  role = 'guest';
  await vote(cleo);
  await rests();
  expect(ran).toHaveLength(1);
  // Rejected: to apply the rule to earlier votes again. Their people make no request now, so nothing is known of their roles.
  const { answers = [], answer } = await question(dan);
  const people = [...answers, answer].flatMap((each) => each?.by ?? []);
  expect(people.map(({ name }) => name)).toEqual(['Bob', 'Cleo']);
  expect(people.map(byApprovers)).toEqual([false, false]);
});
