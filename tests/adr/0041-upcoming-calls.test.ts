import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import type { FlowSettings, Principal } from 'countersign';
import { preApprovals, type UpcomingCall } from 'countersign/plugins/pre-approvals';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { parseApprovalId, parseToolCallId } from '../../lib/protocol/index.ts';
import { verifyAudit } from '../../lib/views/audit/verify-audit.ts';
import { timelineOf } from '../../lib/views/timeline/timeline.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';

const { clause } = adr('0041-upcoming-calls.md');

const bob: Principal = { id: 'bob', name: 'Bob', role: 'manager' };
const pay = (amount: number, more: object = {}) => ({
  call: 'pay',
  id: `pay-${amount}`,
  input: { to: 'alice', amount, ...more },
});
const three: ScriptedStep = [pay(1), pay(2), pay(3)];
const done: ScriptedStep = [{ text: 'Done.' }];

type Details = NonNullable<FlowSettings['toolDetails']>[string];

/** A flow whose model makes several payments in one step, as it waits for the answer to the first. */
async function paying(settings: Partial<FlowSettings> = {}, details: Details = {}, step = three) {
  const ran: number[] = [];
  const clock = fakeClock();
  const hooks = { whilePaying: async () => {} };
  const tools = {
    pay: tool({
      inputSchema: z.object({ to: z.string(), amount: z.number(), token: z.string().optional() }),
      needsApproval: true,
      execute: async ({ amount }) => {
        ran.push(amount);
        await hooks.whilePaying();
        if (amount === 13) throw new Error('The bank is closed.');
        return { paid: amount };
      },
    }),
  };
  const toolDetails: Record<string, Details> = {
    pay: {
      describe: ({ to, amount }: { to: string; amount: number }) => `Pay ${to} ${amount}.`,
      ...details,
    } as Details,
  };
  const fixture = flowFixture([step, done, done, done], {
    tools: tools as ToolSet,
    toolDetails,
    clock,
    logger: { warn: () => {}, error: () => {} },
    ...settings,
    plugins: [preApprovals()],
  });
  const chat = fixture.chat();
  const first = await chat.say('Pay.');
  const approvalId = parseApprovalId(questionIn(first));
  const { flow } = fixture;
  const upcoming = (principal: Principal = ada, id = approvalId) =>
    flow.preApprovals.upcoming({ principal, approvalId: id });
  const tick = (calls: readonly Pick<UpcomingCall, 'toolCallId' | 'digest'>[], principal: Principal = ada) =>
    flow.preApprovals.give({
      principal,
      approvalId,
      via: 'test',
      calls: calls.map(({ toolCallId, digest }) => ({ toolCallId, digest, approved: true })),
    });
  const takeBack = (ids: readonly string[], principal: Principal = ada) =>
    flow.preApprovals.give({
      principal,
      approvalId,
      via: 'test',
      calls: ids.map((id) => ({ toolCallId: parseToolCallId(id), approved: false })),
    });
  return { ...fixture, ...chat, ran, clock, first, approvalId, upcoming, tick, takeBack, hooks, toolDetails };
}

const asks = (chunks: readonly UIMessageChunk[]) =>
  chunks.some((chunk) => chunk.type === 'tool-approval-request' && !chunk.isAutomatic);
const amountsOf = (calls: readonly UpcomingCall[]) =>
  calls.map(({ input }) => (input as { amount: number }).amount);
const typesOf = async (flow: Awaited<ReturnType<typeof paying>>) =>
  (await flow.events()).map(({ type }) => type);

clause('0041.1', async () => {
  const flow = await paying({}, { secrets: { input: ['token'] } }, [
    pay(1),
    pay(2, { token: 'tk-secret' }),
    pay(3),
  ]);
  const listed = await flow.upcoming();
  expect(listed).toMatchObject([
    { toolCallId: 'pay-2', description: 'Pay alice 2.', input: { amount: 2, token: '[redacted]' } },
    { toolCallId: 'pay-3', description: 'Pay alice 3.' },
  ]);
  // Rejected: asking about all of them at the same time would open three questions.
  expect((await flow.flow.approvals.list({ principal: ada, state: 'open' })).items).toHaveLength(1);
  await flow.tick(listed);
  expect((await flow.flow.approvals.list({ principal: ada, state: 'open' })).items).toHaveLength(1);
});

clause('0041.2', async () => {
  const large: Details = {
    approvers: (who, { input, askedBy }) =>
      (input as { amount: number }).amount < 3 ? who.id === askedBy.id : who.role === 'manager',
  };
  const flow = await paying({ mayChange: () => true }, large);
  expect(amountsOf(await flow.upcoming(ada))).toEqual([2]);
  const [third] = await flow.upcoming(bob);
  expect(third).toMatchObject({ toolCallId: 'pay-3' });
  await expect(flow.tick(third ? [third] : [], ada)).rejects.toMatchObject({ code: 'not-found' });
  await flow.tick(third ? [third] : [], bob);
  expect((await flow.upcoming(bob))[0]).toMatchObject({ approved: { by: { id: 'bob' } } });
  const stranger = { id: 'eve', name: 'Eve' };
  const closed = await paying();
  await expect(closed.upcoming(stranger)).rejects.toMatchObject({ code: 'not-found' });
});

clause('0041.3', async () => {
  const flow = await paying();
  await flow.tick((await flow.upcoming()).slice(0, 1));
  expect(flow.ran).toEqual([]);
  const next = await flow.answer(flow.approvalId, true);
  // The second call ran without a question, and the third is asked about.
  expect(flow.ran).toEqual([1, 2]);
  expect((await flow.view()).questions.map(({ toolCallId, state }) => [toolCallId, state])).toEqual([
    ['pay-1', 'approved'],
    ['pay-3', 'open'],
  ]);
  await flow.answer(questionIn(next), true);
  expect(flow.ran).toEqual([1, 2, 3]);
  const granted = (await flow.events()).filter(({ type }) => type === 'approval-granted');
  expect(granted).toMatchObject([{ toolCallId: 'pay-2', by: { id: 'ada', name: 'Ada' }, isEarly: true }]);
  // Rejected: a remembered approval covers a payment that nobody has seen.
  const { chat, ran } = flowFixture([[pay(1), pay(2)], [pay(900)], done], {
    plugins: [remembered()],
  });
  const remember = { scope: 'chat', match: 'tool' } as const;
  await chat().answer(questionIn(await chat().say('Pay.')), true, { plugins: { remembered: remember } });
  expect(ran).toHaveLength(3);
});

clause('0041.4', async () => {
  const flow = await paying();
  const [second, third] = await flow.upcoming();
  const before = await typesOf(flow);
  const forged = { toolCallId: parseToolCallId('pay-2'), digest: third?.digest ?? '' };
  await expect(flow.tick([forged])).rejects.toMatchObject({ code: 'question-changed' });
  for (const id of ['pay-1', 'pay-9']) {
    const foreign = { toolCallId: parseToolCallId(id), digest: second?.digest ?? '' };
    await expect(flow.tick([foreign])).rejects.toMatchObject({ code: 'not-found' });
  }
  // All or none.
  await expect(flow.tick([...(second ? [second] : []), forged])).rejects.toMatchObject({
    code: 'question-changed',
  });
  expect(await typesOf(flow)).toEqual(before);
  await flow.answer(flow.approvalId, true);
  await expect(flow.tick(second ? [second] : [])).rejects.toMatchObject({ code: 'already-answered' });
  expect(flow.ran).toEqual([1]);
});

clause('0041.5', async () => {
  const flow = await paying({ mayChange: () => true, mayAnswer: () => true });
  const listed = await flow.upcoming();
  await flow.tick(listed);
  const again = await flow.tick(listed, bob);
  expect(again.map(({ approved }) => approved?.by.id)).toEqual(['ada', 'ada']);
  const left = await flow.takeBack(['pay-3'], bob);
  expect(left.map(({ approved }) => approved?.by.id)).toEqual(['ada', undefined]);
  await flow.takeBack(['pay-3']);
  const names = (await flow.events()).flatMap((event) => (event.type === 'plugin-event' ? event.name : []));
  expect(names).toEqual(['approved', 'approved', 'revoked']);
  expect(asks(await flow.answer(flow.approvalId, true))).toBe(true);
  expect(flow.ran).toEqual([1, 2]);
});

clause('0041.6', async () => {
  const rows: [Details, string, string][] = [
    [{ stepUp: { maxAgeMs: 60_000 } }, 'step-up', 'invalid-request'],
    [{ preview: () => ({ summary: 'Pays.' }), previewRequired: true }, 'effect', 'invalid-request'],
  ];
  for (const [details, onlyWhenDue, code] of rows) {
    const flow = await paying({}, details);
    const [second] = await flow.upcoming();
    expect(second).toMatchObject({ onlyWhenDue });
    await expect(flow.tick(second ? [second] : [])).rejects.toMatchObject({ code });
  }
  const paused = await paying();
  await paused.flow.tools.pause({ principal: ada, tool: 'pay', reason: 'The bank is closed.' });
  const [second] = await paused.upcoming();
  expect(second).toMatchObject({ onlyWhenDue: 'paused' });
  await expect(paused.tick(second ? [second] : [])).rejects.toMatchObject({ code: 'paused' });
});

clause('0041.7', async () => {
  type Flow = Awaited<ReturnType<typeof paying>>;
  const state = { mayPay: true, risk: 'low' as 'low' | 'high' };
  const rule = { approvers: () => state.mayPay, risk: () => state.risk } as Details;
  const rows: [string, (flow: Flow) => unknown, Partial<FlowSettings>?, ScriptedStep?][] = [
    ['nothing', () => {}],
    [
      'the tool',
      ({ toolDetails }) => Object.assign(toolDetails, { pay: { ...toolDetails.pay, version: '2' } }),
    ],
    ['its risk', () => Object.assign(state, { risk: 'high' })],
    ['the right to answer', () => Object.assign(state, { mayPay: false })],
    ['a pause', ({ flow }) => flow.tools.pause({ principal: ada, tool: 'pay', reason: 'Look.' })],
    ['time', ({ clock }) => clock.advance(2_000), { approvalValidForMs: 1_000 }],
    ['the same call has run', () => {}, {}, [pay(1), { ...pay(1), id: 'pay-2' }]],
  ];
  const asked: string[] = [];
  for (const [what, change, settings = {}, step = three] of rows) {
    Object.assign(state, { mayPay: true, risk: 'low' });
    const flow = await paying(settings, rule, step);
    await flow.tick((await flow.upcoming()).slice(0, 1));
    flow.hooks.whilePaying = async () => void (await change(flow));
    await flow.answer(flow.approvalId, true);
    if ((await flow.view()).questions.some(({ toolCallId }) => toolCallId === 'pay-2')) asked.push(what);
    expect(flow.ran.slice(1)).toEqual(asked.at(-1) === what ? [] : [2]);
  }
  expect(asked).toEqual(rows.slice(1).map(([what]) => what));
});

clause('0041.8', async () => {
  const failing = await paying({}, {}, [pay(13), pay(2), pay(3)]);
  await failing.tick(await failing.upcoming());
  const chunks = await failing.answer(failing.approvalId, true);
  expect([asks(chunks), failing.ran]).toEqual([true, [13]]);
  // It can be approved again, now that the failure is known.
  const [third] = await failing.upcoming(ada, parseApprovalId(questionIn(chunks)));
  expect(third?.approved).toBeUndefined();

  const shared: Partial<FlowSettings> = { mayChange: () => true, mayAnswer: () => true };
  const denied = await paying(shared);
  await denied.tick(await denied.upcoming(), bob);
  expect(asks(await denied.answer(denied.approvalId, false))).toBe(true);
  const own = await paying(shared);
  await own.tick(await own.upcoming());
  expect(asks(await own.answer(own.approvalId, false))).toBe(false);
  expect([denied.ran, own.ran]).toEqual([[], [2, 3]]);
});

clause('0041.9', async () => {
  for (const end of ['stop', 'message'] as const) {
    const flow = await paying();
    const listed = await flow.upcoming();
    await flow.tick(listed);
    if (end === 'stop') await flow.stop();
    else await flow.say('Never mind.');
    expect(flow.ran).toEqual([]);
    expect((await flow.events()).filter(({ type }) => type === 'tool-cancelled')).toHaveLength(2);
    await expect(flow.tick(listed)).rejects.toMatchObject({ code: 'superseded' });
  }
});

clause('0041.10', async () => {
  const auditKey = 'an audit key for tests';
  const store = sqliteStore({ path: ':memory:' });
  const flow = await paying({ auditKey, store }, { risk: 'high' });
  await flow.tick((await flow.upcoming()).slice(0, 1));
  await flow.answer(flow.approvalId, true);
  const { entries, head } = await flow.flow.audit.read({ principal: ada, chatId: flow.id });
  const own = entries.filter(({ toolCallId }) => toolCallId === 'pay-2');
  expect(own).toMatchObject([
    {
      type: 'plugin-event',
      name: 'approved',
      early: { by: { id: 'ada' }, via: 'test', rule: 'owner', input: { amount: 2 } },
    },
    { type: 'granted', by: { id: 'ada' }, plugin: 'preApprovals', isEarly: true },
    { type: 'started' },
    { type: 'ended', outcome: 'completed' },
  ]);
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  const { spans } = timelineOf(flow.id, await flow.events());
  const given = (await flow.events()).find(({ type }) => type === 'plugin-event');
  expect(spans.find(({ kind, toolCallId }) => kind === 'tool' && toolCallId === 'pay-2')).toMatchObject({
    approvedEarly: { by: { id: 'ada', name: 'Ada' }, at: given?.at },
  });
});
