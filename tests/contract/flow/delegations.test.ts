import type { FlowSettings, Principal } from 'countersign';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { flowLogId, parseChatId } from '../../../lib/protocol/index.ts';
import { administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { ada, ben, cleo, dan, delegating, done, hour, pay } from '../../support/delegation-fixture.ts';
import { timedBy } from '../../support/timed-by.ts';

const forbidden = { code: 'forbidden' };
const chatId = parseChatId('chat');

describe('a delegation', () => {
  it('is listed for both people, with the longest time, until one of them ends it', async () => {
    const flow = delegating();
    const made = await flow.give(ben, cleo, { toolNames: ['pay', 'pay'], note: 'On holiday.' });
    expect(made).toMatchObject({ from: { id: 'ben' }, to: { id: 'cleo' }, toolNames: ['pay'] });
    const longestMs = 30 * 24 * hour;
    expect(await flow.flow.delegation.list({ principal: ben })).toEqual({
      given: [made],
      received: [],
      longestMs,
    });
    expect(await flow.flow.delegation.list({ principal: cleo })).toEqual({
      given: [],
      received: [made],
      longestMs,
    });
    expect(await flow.flow.delegation.list({ principal: dan })).toEqual({
      given: [],
      received: [],
      longestMs,
    });
    await flow.flow.delegation.revoke({ principal: cleo, delegationId: made.id });
    expect(await flow.flow.delegation.list({ principal: ben })).toMatchObject({ given: [] });
  });

  it.each<
    [string, (flow: ReturnType<typeof delegating>, id: Parameters<typeof flow.answer>[1]) => Promise<unknown>]
  >([
    [
      'for other tools',
      async (flow, id) => {
        await flow.give(ben, cleo, { toolNames: ['search'] });
        return flow.answer(cleo, id);
      },
    ],
    [
      'of a person whom a failing directory cannot find',
      async (flow, id) => {
        await flow.give(ben, cleo);
        flow.hooks.failing = () => Promise.reject(new Error('The directory is down.'));
        return flow.answer(cleo, id);
      },
    ],
    [
      'when the directory returns somebody else',
      async (flow, id) => {
        await flow.give(ben, cleo);
        flow.hooks.failing = async () => [{ ...dan, role: 'manager' }];
        return flow.answer(cleo, id);
      },
    ],
  ])('%s gives no right', async (_what, attempt) => {
    const flow = delegating();
    const id = await flow.asked();
    await expect(attempt(flow, id)).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|not-found/),
    });
    delete flow.hooks.failing;
    expect(await flow.flow.approvals.read({ principal: ada, approvalId: id })).toMatchObject({
      state: 'open',
    });
    expect(flow.ran).toEqual([]);
  });

  it('counts as refused when the directory is too slow', async () => {
    const flow = delegating();
    const id = await flow.asked();
    await flow.give(ben, cleo);
    flow.hooks.failing = () => new Promise(() => {});
    const refused = expect(flow.answer(cleo, id)).rejects.toMatchObject({ code: 'not-found' });
    await flow.clock.timer(2_000);
    flow.clock.advance(2_000);
    await refused;
  });

  it('hands on the right of the owner, who answers by default, to somebody who has not asked', async () => {
    const flow = delegating([[pay()], [done]], { toolDetails: {} });
    const id = await flow.asked();
    expect(await flow.inbox(cleo)).toEqual([]);
    await flow.give(ada, cleo);
    expect(await flow.inbox(cleo)).toEqual([id]);
    expect((await flow.answer(cleo, id)).answer).toMatchObject({
      by: { id: 'cleo' },
      onBehalfOf: { id: 'ada' },
    });
  });

  it('does not let anybody approve under four eyes what they wrote, and lets a role do so', async () => {
    const strict = delegating();
    const id = await strict.asked();
    await strict.give(ben, cleo);
    const input = { to: 'alice', amount: 40 };
    await expect(strict.answer(cleo, id, { input })).rejects.toMatchObject(forbidden);
    const byRole = delegating([[pay()], [done]], {
      toolDetails: { pay: { approvers: ({ role }) => role === 'manager' } },
    });
    const other = await byRole.asked();
    await byRole.give(ben, cleo);
    const { answer } = await byRole.answer(cleo, other, { input });
    expect(answer).toMatchObject({ input, onBehalfOf: { id: 'ben' } });
  });

  it('is looked up once for a whole list', async () => {
    const flow = delegating(Array.from({ length: 6 }, () => [pay()]));
    for (const chat of ['a', 'b', 'c', 'd', 'e', 'f']) await flow.asked(chat);
    await flow.give(ben, cleo);
    flow.hooks.asked = 0;
    expect(await flow.inbox(cleo)).toHaveLength(6);
    expect(flow.hooks.asked).toBe(1);
  });

  it('ends a feed that it changes, and no other, so that its reader reads the list again', async () => {
    const flow = delegating();
    const id = await flow.asked();
    const open = async (principal: Principal) =>
      (await flow.flow.approvals.feed({ principal })).changes.getReader();
    const [before, other] = [await open(cleo), await open(dan)];
    const { id: delegationId } = await flow.give(ben, cleo);
    expect(await before.read()).toEqual({ done: true, value: undefined });
    expect(await flow.inbox(cleo)).toEqual([id]);
    const during = await open(cleo);
    await flow.flow.delegation.revoke({ principal: ben, delegationId });
    expect(await during.read()).toEqual({ done: true, value: undefined });
    expect(await flow.inbox(cleo)).toEqual([]);
    let isOver = false;
    const reading = other.read().then(() => {
      isOver = true;
    });
    await flow.flow.delegation.list({ principal: dan });
    expect(isOver).toBe(false);
    await other.cancel();
    await reading;
  });

  it('ends a feed when its giver has got a right since, and not for a tool of which nothing is open', async () => {
    const flow = delegating([[pay()], [done]]);
    const id = await flow.asked();
    const feed = (await flow.flow.approvals.feed({ principal: cleo })).changes.getReader();
    const next = feed.read();
    await flow.give(ben, cleo, { toolNames: ['search'] });
    const { id: delegationId } = await flow.give(dan, cleo);
    flow.known.set('dan', { ...dan, role: 'manager' });
    expect(await flow.inbox(cleo)).toEqual([id]);
    await flow.flow.delegation.revoke({ principal: dan, delegationId });
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('shows later questions in a feed that it did not end, and the pauses of their tools', async () => {
    const flow = delegating([[pay()], [done]]);
    const feed = (await flow.flow.approvals.feed({ principal: cleo })).changes.getReader();
    await flow.give(ben, cleo);
    const id = await flow.asked();
    expect(await feed.read()).toMatchObject({ value: { question: { id, mayAnswer: true } } });
    await flow.flow.tools.pause({ principal: ben, tool: 'pay', reason: 'Audit.' });
    expect(await feed.read()).toMatchObject({ value: { question: { id, paused: { reason: 'Audit.' } } } });
    await feed.cancel();
  });

  it('does not count when it is revoked while the answer is checked', async () => {
    const during = { check: async () => {} };
    const flow = delegating([[pay()], [done]], {
      toolDetails: {
        pay: {
          approvers: async ({ role }) => {
            await during.check();
            return role === 'manager';
          },
        },
      },
    });
    const id = await flow.asked();
    const { id: delegationId } = await flow.give(ben, cleo);
    let checks = 0;
    during.check = async () => {
      // The rule is called for Cleo, and then for Ben: when she sees the question, and when her answer is checked.
      checks += 1;
      if (checks === 4) await flow.flow.delegation.revoke({ principal: ben, delegationId });
    };
    await expect(flow.answer(cleo, id)).rejects.toMatchObject(forbidden);
    expect(flow.ran).toEqual([]);
  });

  it('ends its feed when its time is over', async () => {
    const flow = delegating([[pay()], [done]], { sweepMs: hour });
    await flow.asked();
    await flow.give(ben, cleo);
    const feed = (await flow.flow.approvals.feed({ principal: cleo })).changes.getReader();
    const next = feed.read();
    flow.clock.advance(hour);
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe('who may delegate what', () => {
  it.each<[string, Principal, string, object]>([
    ['to oneself', ben, 'ben', {}],
    ['to somebody unknown', ben, 'nobody', {}],
    ['from somebody unknown', { id: 'eve', name: 'Eve' }, 'cleo', {}],
    ['until now', ben, 'cleo', { until: 0 }],
    ['without an end', ben, 'cleo', { until: Number.POSITIVE_INFINITY }],
    ['for too long', ben, 'cleo', { until: 31 * 24 * hour }],
    ['for no tool', ben, 'cleo', { toolNames: [] }],
    ['for too many tools', ben, 'cleo', { toolNames: Array.from({ length: 21 }, String) }],
    ['with a long note', ben, 'cleo', { note: 'x'.repeat(201) }],
  ])('%s is refused', async (_what, from, to, more: { until?: number }) => {
    const flow = delegating();
    const until = flow.clock.now() + (more.until ?? hour);
    const attempt = flow.flow.delegation.give({ principal: from, to, ...more, until });
    await expect(attempt).rejects.toMatchObject({ code: 'invalid-request' });
    expect(await flow.flow.delegation.list({ principal: from })).toMatchObject({ given: [] });
  });

  it('to oneself under a former id is refused', async () => {
    const flow = delegating([[done]], { formerIds: { benjamin: 'ben' } });
    const attempt = flow.flow.delegation.give({
      principal: ben,
      to: 'benjamin',
      until: flow.clock.now() + hour,
    });
    await expect(attempt).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('is refused beyond ten at a time, not counting those that have ended', async () => {
    const flow = delegating();
    for (let made = 0; made < 10; made += 1) await flow.give(ben, cleo);
    await expect(flow.give(ben, dan)).rejects.toMatchObject({ code: 'invalid-request' });
    flow.clock.advance(hour);
    await flow.give(ben, dan);
  });

  it('lets only the two people revoke it, by its exact id', async () => {
    const flow = delegating();
    const { id } = await flow.give(ben, cleo);
    const missing = { code: 'not-found' };
    await expect(flow.flow.delegation.revoke({ principal: dan, delegationId: id })).rejects.toMatchObject(
      missing,
    );
    const forged = 'dlg_forged';
    await expect(flow.flow.delegation.revoke({ principal: ben, delegationId: forged })).rejects.toMatchObject(
      missing,
    );
    await flow.flow.delegation.revoke({ principal: ben, delegationId: id });
    await expect(flow.flow.delegation.revoke({ principal: ben, delegationId: id })).rejects.toMatchObject(
      missing,
    );
  });

  it('finds people by name, and shows of them only id and name', async () => {
    const flow = delegating();
    flow.known.set('cleo', { ...cleo, role: 'manager', sessionId: 'secret' });
    expect(await flow.flow.delegation.people({ principal: ben, search: ' Cl ' })).toEqual([
      { id: 'cleo', name: 'Cleo' },
    ]);
    expect(await flow.flow.delegation.people({ principal: ben, search: 'Be' })).toEqual([]);
    await expect(flow.flow.delegation.people({ principal: ben, search: 'C' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });
});

const stores = administeredStoresOfThisRun('SQLite');

describe.each(stores)('with two instances on %s', (_name, create) => {
  function twoInstances(settings: Partial<FlowSettings> = {}) {
    const { store, another, administer } = create();
    const clock = fakeClock();
    const shared = { sweepMs: 1e9, ...settings };
    const one = delegating([[pay()], [done]], { ...shared, store: timedBy(store, clock) }, clock);
    const other = delegating([[done]], { ...shared, store: timedBy(another(), clock) }, clock);
    return { one, other, administer };
  }

  it('a delegation on one counts on the other, and so does its revocation at the next answer', async () => {
    const { one, other } = twoInstances();
    const id = await one.asked();
    await other.flow.delegation.list({ principal: cleo });
    const { id: delegationId } = await one.give(ben, cleo);
    expect(await other.flow.delegation.list({ principal: cleo })).toMatchObject({
      received: [{ id: delegationId }],
    });
    expect(await other.inbox(cleo)).toEqual([id]);
    await one.flow.delegation.revoke({ principal: ben, delegationId });
    await expect(other.answer(cleo, id)).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|not-found/),
    });
    await expect(one.answer(cleo, id)).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|not-found/),
    });
    expect([...one.ran, ...other.ran]).toEqual([]);
  });

  it('a revocation on one counts for an answer in the chat on the other', async () => {
    const { one, other } = twoInstances({ mayChange: () => true });
    const approvalId = await one.asked();
    const { id: delegationId } = await one.give(ben, cleo);
    expect(await other.inbox(cleo)).toEqual([approvalId]);
    await one.flow.delegation.revoke({ principal: ben, delegationId });
    const answer = other.flow.chats.respond({
      chatId,
      principal: cleo,
      trigger: 'submit-message',
      via: 'sse',
      answers: [{ approvalId, approved: true }],
    });
    await expect(answer).rejects.toMatchObject(forbidden);
    expect([...one.ran, ...other.ran]).toEqual([]);
  });

  it.each([
    ['the last event', false],
    ['followed by a sealed one', true],
  ])('without a valid seal, no delegation counts: %s of the flow’s log', async (_where, isFollowed) => {
    const { one, other, administer } = twoInstances({ mayOperate: () => true });
    const id = await one.asked();
    await one.give(dan, cleo);
    if (isFollowed) await one.flow.tools.pause({ principal: ada, tool: 'other', reason: 'Audit.' });
    await administer(
      `update events set body = replace(body, '"dan"', '"ben"') where chat = (select chat from chats where id = '${flowLogId}')`,
    );
    await expect(other.answer(cleo, id)).rejects.toMatchObject({ code: 'not-found' });
    expect(await other.flow.delegation.list({ principal: cleo })).toMatchObject({ received: [] });
  });
});
