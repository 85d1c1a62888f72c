import { type ToolSet, tool } from 'ai';
import { type FlowSettings, notTheAsker } from 'countersign';
import { preApprovals } from 'countersign/plugins/pre-approvals';
import { dyingStore, fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  type ApprovalId,
  type Principal,
  parseApprovalId,
  parseChatId,
} from '../../../lib/protocol/index.ts';
import { createFetchHandler } from '../../../lib/sse/server.ts';
import { administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { checkLog } from '../../support/check-log.ts';
import { ada, flowFixture as fixtureOf, questionIn } from '../../support/flow-fixture.ts';
import { preApprovalsOf } from '../../support/pre-approvals-of.ts';
import { research, subagentFixture, pay as subagentPay } from '../../support/subagent-fixture.ts';
import { timedBy } from '../../support/timed-by.ts';

const flowFixture = (script: Script, settings: Partial<FlowSettings> = {}) =>
  fixtureOf(script, { ...settings, plugins: [preApprovals()] });

const bob: Principal = { id: 'bob', name: 'Bob' };
const auditKey = 'an audit key for tests';
const pay = (amount: number) => ({ call: 'pay', id: `pay-${amount}`, input: { to: 'alice', amount } });
const done = [{ text: 'Done.' }];
const payments = [[pay(1), pay(2)], done];
const chatId = parseChatId('chat');

const stores = administeredStoresOfThisRun('SQLite');

/** Pre-approves every upcoming call. */
async function approveAll(flow: object, approvalId: ApprovalId, principal: Principal = ada) {
  const { upcoming, give } = preApprovalsOf(flow);
  const calls = (await upcoming({ principal, approvalId })).map(({ toolCallId, digest }) => ({
    toolCallId,
    digest,
    approved: true as const,
  }));
  return give({ principal, approvalId, via: 'test', calls });
}

describe.each(stores)('pre-approvals, on %s', (_name, create) => {
  function opened(script: Script, settings: Partial<FlowSettings> = {}, database = create()) {
    const clock = fakeClock();
    const errors: string[] = [];
    const logger = { warn: () => {}, error: (message: string) => void errors.push(message) };
    const { store = database.store } = settings;
    const fixture = flowFixture(script, { clock, logger, ...settings, store: timedBy(store, clock) });
    // A process that died does not close.
    if (!settings.store) onTestFinished(() => fixture.flow.close());
    return { ...fixture, clock, errors, database };
  }

  // The call that was being answered, and what becomes of the one that follows it.
  it.each([
    { when: 'before', approved: false, ran: 1, ends: ['tool-completed'] },
    { when: 'after', approved: false, ran: 0, ends: ['tool-failed'] },
    { when: 'before', approved: true, ran: 0, ends: [] },
  ] as const)(
    'run their call at most once after a crash: $when, $approved',
    async ({ when, approved, ...expected }) => {
      const database = create();
      const { store: dying, died } = dyingStore(database.store, { when, event: 'approval-granted' });
      const first = opened(payments, { leaseMs: 9_000, store: dying }, database);
      const approvalId = parseApprovalId(questionIn(await first.chat().say('Pay.')));
      await approveAll(first.flow, approvalId);
      void first.chat().answer(approvalId, approved);
      await died;
      const next = opened([done], { leaseMs: 9_000 }, database);
      // Much later than the lease: on Postgres it ends later by the real time for which its append waited.
      next.clock.advance(3_600_000);
      await next.flow.recover();
      await next.chat().resume();
      const events = (await next.chat().events()).filter(
        (event) => 'toolCallId' in event && event.toolCallId === 'pay-2',
      );
      expect(events.map(({ type }) => type).filter((type) => /^tool-(completed|failed)$/.test(type))).toEqual(
        expected.ends,
      );
      expect([...first.ran, ...next.ran].filter(({ toolCallId }) => toolCallId === 'pay-2')).toHaveLength(
        expected.ran,
      );
      // If the outcome of the first call is lost as well, the person is asked.
      expect((await next.flow.approvals.list({ principal: ada, state: 'open' })).items).toHaveLength(
        approved ? 1 : 0,
      );
    },
  );

  it('are used by the instance that takes the answer, whichever recorded them', async () => {
    const first = opened(payments);
    const approvalId = parseApprovalId(questionIn(await first.chat().say('Pay.')));
    await approveAll(first.flow, approvalId);
    const other = opened([done], { store: first.database.another() }, first.database);
    await other.chat().answer(approvalId, true);
    expect(other.ran).toHaveLength(2);
  });

  it('are recorded before an answer given at the same time, or refused, and never leave two open questions', async () => {
    const { flow, chat, ran } = opened(payments);
    const approvalId = parseApprovalId(questionIn(await chat().say('Pay.')));
    const [ticked] = await Promise.allSettled([
      approveAll(flow, approvalId),
      flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'test' }),
    ]);
    await chat().resume();
    const isTicked = ticked.status === 'fulfilled';
    expect(ticked).toMatchObject(isTicked ? {} : { reason: { code: 'already-answered' } });
    expect(ran).toHaveLength(isTicked ? 2 : 1);
    const { items } = await flow.approvals.list({ principal: ada, state: 'open' });
    expect(items).toHaveLength(isTicked ? 0 : 1);
  });

  it('are refused once the chat is erased', async () => {
    const { flow, chat } = opened(payments);
    const approvalId = parseApprovalId(questionIn(await chat().say('Pay.')));
    const [listed] = await flow.preApprovals.upcoming({ principal: ada, approvalId });
    await flow.chats.erase({ principal: ada, chatId });
    const calls = [{ toolCallId: 'pay-2' as never, digest: listed?.digest ?? '', approved: true as const }];
    const request = { principal: ada, approvalId, via: 'test', calls };
    await expect(flow.preApprovals.give(request)).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each(['inserted', 'copied'])('are not used if they were %s into the database', async (how) => {
    const { flow, chat, ran, errors, database, store } = opened(payments, { auditKey });
    const approvalId = parseApprovalId(questionIn(await chat().say('Pay.')));
    await approveAll(flow, approvalId);
    const given = (await store.events.read(chatId, 0)).find(({ type }) => type === 'plugin-event');
    const calls = [{ toolCallId: 'pay-2' as never, approved: false as const }];
    await flow.preApprovals.give({ principal: ada, approvalId, via: 'test', calls });
    await flow.close();
    const forged = {
      ...given,
      seq: undefined,
      at: undefined,
      ...(how === 'inserted' && { seal: undefined }),
    };
    await database.administer(`
      insert into events (chat, seq, at, run, body)
        select chat, seq + 1, at, '', '${JSON.stringify(forged)}' from events
          where seq = (select seq from chats where id = 'chat');
      update chats set seq = seq + 1 where id = 'chat';`);
    const second = opened([done], { auditKey }, database);
    const next = await second.chat().answer(approvalId, true);
    expect(parseApprovalId(questionIn(next))).not.toBe(approvalId);
    expect([...ran, ...second.ran]).toHaveLength(1);
    expect([...errors, ...second.errors]).toEqual([
      'A standing approval was not used: it is not in the sealed record.',
    ]);
  });
});

describe('a call that was pre-approved', () => {
  it('has its outcome recorded by those who may answer its question', async () => {
    const act = tool({
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: true,
      execute: async ({ amount }): Promise<string> => {
        if (amount === 1) return 'paid';
        throw Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
      },
    });
    const call = (amount: number) => ({ call: 'act', id: `act-${amount}`, input: { amount } });
    const { flow, chat } = flowFixture([[call(1), call(2)], done], {
      tools: { act } as ToolSet,
      toolDetails: { act: { approvers: notTheAsker } },
      mayChange: () => true,
    });
    const approvalId = parseApprovalId(questionIn(await chat().say('Act.')));
    await approveAll(flow, approvalId, bob);
    await flow.approvals.answer({ principal: bob, approvalId, approved: true, via: 'test' });
    await chat().resume();
    const resolving = { chatId, toolCallId: 'act-2' as never, outcome: 'completed' as const };
    await expect(flow.approvals.resolveOutcome({ ...resolving, principal: ada })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(flow.approvals.resolveOutcome({ ...resolving, principal: bob })).resolves.toMatchObject({
      by: bob,
    });
  });

  it('can be the call of a subagent, asked about after another one of the same step', async () => {
    const fixture = subagentFixture(
      [[research('r')], done],
      [[subagentPay('a', 5), subagentPay('b', 7)], done],
      { plugins: [preApprovals()] },
    );
    const approvalId = parseApprovalId(questionIn(await fixture.chat().say('Go.')));
    expect(await approveAll(fixture.flow, approvalId)).toMatchObject([{ toolName: 'research/pay' }]);
    await fixture.chat().answer(approvalId, true);
    expect(fixture.agentRan).toHaveLength(2);
    expect(checkLog(await fixture.store.events.read(fixture.chat().id, 0))).toEqual([]);
  });

  it('uses a role only while its giver lets the run continue', async () => {
    const manager: Principal = { ...bob, role: 'manager' };
    const carol: Principal = { id: 'carol', name: 'Carol', role: 'manager' };
    const ran = async (answerer: Principal) => {
      const {
        flow,
        chat,
        ran: calls,
      } = flowFixture(payments, {
        mayChange: () => true,
        toolDetails: { pay: { approvers: ({ role }) => role === 'manager' } },
      });
      const approvalId = parseApprovalId(questionIn(await chat().say('Pay.')));
      await approveAll(flow, approvalId, manager);
      await flow.approvals.answer({ principal: answerer, approvalId, approved: true, via: 'test' });
      await chat().resume();
      return calls.length;
    };
    expect([await ran(manager), await ran(carol)]).toEqual([2, 1]);
  });
});

describe('pre-approvals over HTTP', () => {
  type Reply = { status: number; body: { upcoming?: Record<string, unknown>[]; error?: { code: string } } };

  /** The open question of a flow with two payments, and requests about what follows it. */
  async function served(settings: Partial<FlowSettings> = {}) {
    const fixture = flowFixture(payments, { mayChange: () => true, ...settings });
    const approvalId = parseApprovalId(questionIn(await fixture.chat().say('Pay.')));
    const handler = createFetchHandler(fixture.flow, {
      authorize: (request) => (request.headers.get('x-user') === 'bob' ? bob : ada),
      ...(settings.clock && { clock: settings.clock }),
    });
    const send = async (user: string, calls?: unknown): Promise<Reply> => {
      const url = `http://localhost/api/approvals/${approvalId}/upcoming`;
      const headers = { 'x-user': user, 'content-type': 'application/json' };
      const body = calls === undefined ? {} : { method: 'POST', body: JSON.stringify({ calls }) };
      const response = await handler(new Request(url, { headers, ...body }));
      return { status: response.status, body: (await response.json()) as Reply['body'] };
    };
    return { ...fixture, approvalId, send };
  }

  it('are listed, given and revoked by those who may answer [H10]', async () => {
    const rule = { toolDetails: { pay: { approvers: notTheAsker } } };
    const { send, flow, approvalId, chat, ran } = await served(rule);
    expect((await send('ada')).body).toEqual({ upcoming: [] });
    const { body } = await send('bob');
    expect(body.upcoming).toEqual([
      {
        toolCallId: 'pay-2',
        toolName: 'pay',
        input: { to: 'alice', amount: 2 },
        description: 'Run pay.',
        digest: expect.stringMatching(/^[\w-]{22}$/),
      },
    ]);
    const [{ digest = '' } = {}] = body.upcoming ?? [];
    const tick = [{ toolCallId: 'pay-2', digest, approved: true }];
    expect(await send('ada', tick)).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } });
    const given = await send('bob', tick);
    const approved = { by: { id: 'bob', name: 'Bob' }, at: expect.stringMatching(/Z$/) };
    expect(given).toMatchObject({ status: 200, body: { upcoming: [{ approved }] } });
    const takenBack = await send('bob', [{ toolCallId: 'pay-2', approved: false }]);
    expect(takenBack.body.upcoming?.[0]).not.toHaveProperty('approved');
    await flow.approvals.answer({ principal: bob, approvalId, approved: true, via: 'test' });
    await chat().resume();
    expect(ran).toHaveLength(1);
  });

  it('are refused if they are forged, late or malformed, and record nothing [H10]', async () => {
    const { send, approvalId, chat, store } = await served();
    const [{ digest = '' } = {}] = (await send('ada')).body.upcoming ?? [];
    const before = await store.events.read(chatId, 0);
    const codes = [];
    for (const calls of [
      [{ toolCallId: 'pay-2', digest: 'forged', approved: true }],
      [{ toolCallId: 'pay-1', digest, approved: true }],
      [{ toolCallId: 'pay-2', approved: true }],
      [],
      'all',
    ]) {
      const { status, body } = await send('ada', calls);
      codes.push([status, body.error?.code]);
    }
    expect(codes).toEqual([
      [409, 'question-changed'],
      [404, 'not-found'],
      [400, 'invalid-request'],
      [400, 'invalid-request'],
      [400, 'invalid-request'],
    ]);
    expect(await store.events.read(chatId, 0)).toEqual(before);
    await chat().answer(approvalId, true);
    const late = await send('ada', [{ toolCallId: 'pay-2', digest, approved: true }]);
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'already-answered' } } });
    expect((await store.events.read(chatId, 0)).filter(({ type }) => type === 'plugin-event')).toEqual([]);
  });

  it('have no endpoint without the plugin [H10]', async () => {
    const { flow, chat } = fixtureOf(payments);
    const approvalId = questionIn(await chat().say('Pay.'));
    const handler = createFetchHandler(flow, { authorize: () => ada });
    const url = `http://localhost/api/approvals/${approvalId}/upcoming`;
    expect((await handler(new Request(url))).status).toBe(404);
    expect(flow).not.toHaveProperty('preApprovals');
  });

  it('take at most 120 requests of a person in a minute [H10]', async () => {
    const { send } = await served({ clock: fakeClock() });
    let reply = await send('ada');
    for (let count = 0; count < 120 && reply.status === 200; count += 1) reply = await send('ada');
    expect(reply.status).toBe(429);
    expect((await send('bob')).status).toBe(200);
  });
});
