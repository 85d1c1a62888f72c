import type { Principal } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { delegation } from 'countersign/plugins/delegation';
import { preApprovals } from 'countersign/plugins/pre-approvals';
import { remembered } from 'countersign/plugins/remembered';
import { fakeClock } from 'countersign/testing';
import { expect } from 'vitest';
import { flowLogId, parseChatId } from '../../lib/protocol/index.ts';
import { questionJson } from '../../lib/views/questions/question-json.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import {
  ada,
  auditKey,
  ben,
  cleo,
  dan,
  delegating,
  directory,
  done,
  hour,
  pay,
} from '../support/delegation-fixture.ts';
import { preApprovalsOf } from '../support/pre-approvals-of.ts';
import { recordedGivers } from './rejected/recorded-giver.ts';
import { trustedCopy } from './rejected/trusted-copy.ts';

const { clause } = adr('0049-people-and-delegation.md');

const refused = { code: expect.stringMatching(/^(forbidden|not-found)$/) };
const turn = [[pay()], [done]];
const chatId = parseChatId('chat');

clause('0049.1', async () => {
  const flow = delegating();
  const id = await flow.asked();
  await expect(flow.answer(cleo, id)).rejects.toMatchObject(refused);
  await flow.give(ben, cleo, { note: 'On holiday.' });
  expect(await flow.inbox(cleo)).toEqual([id]);
  const question = () => flow.flow.approvals.read({ principal: cleo, approvalId: id });
  const forBen = { mayAnswer: true, mayRemember: false, onBehalfOf: { id: 'ben', name: 'Ben' } };
  expect(await question()).toMatchObject(forBen);
  await flow.answer(cleo, id);
  await flow.chat().resume();
  expect(flow.ran).toHaveLength(1);
  const both = { by: { id: 'cleo', name: 'Cleo' }, onBehalfOf: { id: 'ben', name: 'Ben' } };
  const events = await flow.chat().events();
  expect(events.find(({ type }) => type === 'approval-answered')).toMatchObject(both);
  const { entries, head } = await flow.flow.audit.read({ chatId, principal: ada });
  expect(entries.find(({ type }) => type === 'answered')).toMatchObject(both);
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  const forged = entries.map((entry) =>
    entry.type === 'answered' ? { ...entry, onBehalfOf: { id: 'dan', name: 'Dan' } } : entry,
  );
  expect(verifyAudit(forged, { key: auditKey, head })).toBeDefined();
  expect(
    questionJson(await flow.flow.approvals.read({ principal: ada, approvalId: id })).answer,
  ).toMatchObject(both);
});

clause('0049.2', async () => {
  for (const change of ['has left', 'has lost the role']) {
    const flow = delegating();
    const id = await flow.asked();
    await flow.give(ben, cleo);
    if (change === 'has left') flow.known.delete('ben');
    else flow.known.set('ben', { id: 'ben', name: 'Ben' });
    await expect(flow.answer(cleo, id)).rejects.toMatchObject(refused);
    expect(flow.ran).toEqual([]);
  }
  const recorded = delegating(turn, { delegating: { people: recordedGivers([ada, ben, cleo]) } });
  const id = await recorded.asked();
  await recorded.give(ben, cleo);
  recorded.known.set('ben', { id: 'ben', name: 'Ben' });
  await recorded.answer(cleo, id);
  await recorded.chat().resume();
  expect(recorded.ran).toHaveLength(1);
});

clause('0049.3', async () => {
  const flow = delegating(turn, { formerIds: { 'key:ada': 'ada', 'key:ben': 'ben' } });
  const id = await flow.asked();
  const { id: delegationId } = await flow.give({ ...ben, id: 'key:ben' }, { ...ada, id: 'key:ada' });
  for (const asker of [ada, { ...ada, id: 'key:ada' }])
    await expect(flow.answer(asker, id)).rejects.toMatchObject(refused);
  expect(flow.ran).toEqual([]);
  await flow.flow.delegation.revoke({ principal: ben, delegationId });
  expect(await flow.flow.delegation.list({ principal: ben })).toMatchObject({ given: [] });
});

clause('0049.4', async () => {
  const flow = delegating();
  const id = await flow.asked();
  await flow.give(ben, cleo);
  const input = { to: 'alice', amount: 9_000 };
  await expect(flow.answer(ben, id, { input })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(flow.answer(cleo, id, { input })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await flow.flow.approvals.read({ principal: cleo, approvalId: id })).toMatchObject({
    mayEdit: false,
  });
});

clause('0049.5', async () => {
  const flow = delegating();
  const id = await flow.asked();
  await flow.give(ben, cleo, { until: flow.clock.now() + hour });
  await flow.give(cleo, dan, { until: flow.clock.now() + hour });
  await expect(flow.answer(dan, id)).rejects.toMatchObject(refused);
  flow.clock.advance(hour);
  await expect(flow.answer(cleo, id)).rejects.toMatchObject(refused);
  expect(flow.ran).toEqual([]);
});

clause('0049.6', async () => {
  /** Ben revokes on one instance, and Cleo answers on another, which has used the delegation before. */
  async function revoked(isTrusting: boolean) {
    const { store, another } = administeredSqlite();
    const clock = fakeClock();
    const one = delegating([[pay()], [done]], { store, sweepMs: 1e9 }, clock);
    const id = await one.asked();
    const { id: delegationId } = await one.give(ben, cleo);
    const copied = isTrusting ? trustedCopy(another()) : another();
    const other = delegating([[done]], { store: copied, sweepMs: 1e9 }, clock);
    expect(await other.inbox(cleo)).toEqual([id]);
    await one.flow.delegation.revoke({ principal: ben, delegationId });
    return other.answer(cleo, id);
  }
  await expect(revoked(false)).rejects.toMatchObject(refused);
  expect(await revoked(true)).toMatchObject({ state: 'approved' });
});

clause('0049.7', async () => {
  const { store, another, administer } = administeredSqlite();
  const clock = fakeClock();
  const one = delegating([[pay()], [done]], { store, sweepMs: 1e9 }, clock);
  const id = await one.asked();
  await one.give(dan, cleo);
  const forge = `update events set body = replace(body, '"dan"', '"ben"')`;
  await administer(`${forge} where chat = (select chat from chats where id = '${flowLogId}')`);
  const other = delegating([[done]], { store: another(), sweepMs: 1e9 }, clock);
  await expect(other.answer(cleo, id)).rejects.toMatchObject(refused);
});

clause('0049.8', async () => {
  const maxAgeMs = 60_000;
  const flow = delegating(turn, {
    toolDetails: { pay: { approvers: ({ role }) => role === 'manager', stepUp: { maxAgeMs } } },
  });
  const id = await flow.asked();
  flow.known.set('ben', { ...ben, authenticatedAt: flow.clock.now() });
  await flow.give(ben, cleo);
  await expect(flow.answer(cleo, id)).rejects.toMatchObject({ code: 'step-up-required' });
  const answered = await flow.answer({ ...cleo, authenticatedAt: flow.clock.now() }, id);
  expect(answered).toMatchObject({ state: 'approved' });
});

clause('0049.9', async () => {
  const flow = delegating([[pay(1), pay(2)], [done]], { plugins: [preApprovals(), remembered()] });
  const { upcoming } = preApprovalsOf(flow.flow);
  const id = await flow.asked();
  await flow.give(ben, cleo);
  const plugins = { remembered: { scope: 'me', match: 'tool' } };
  await expect(flow.answer(cleo, id, { plugins })).rejects.toMatchObject({ code: 'invalid-request' });
  expect(await upcoming({ principal: ben, approvalId: id })).toHaveLength(1);
  expect(await upcoming({ principal: cleo, approvalId: id })).toEqual([]);
  const eve: Principal = { id: 'eve', name: 'Eve', role: 'manager' };
  flow.known.set('eve', eve);
  await flow.give(ben, eve);
  expect((await flow.answer(eve, id)).answer).not.toHaveProperty('onBehalfOf');
});

clause('0049.10', async () => {
  const flow = delegating();
  const id = await flow.asked();
  const feed = (await flow.flow.approvals.feed({ principal: cleo })).changes.getReader();
  const { id: delegationId } = await flow.give(ben, cleo);
  expect(await feed.read()).toMatchObject({ done: true });
  expect(await flow.inbox(cleo)).toEqual([id]);
  await flow.flow.delegation.revoke({ principal: ben, delegationId });
  expect(await flow.inbox(cleo)).toEqual([]);
});

clause('0049.11', async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    id: `m${index}`,
    name: `Manager ${index}`,
    role: 'manager',
    sessionId: 'secret',
  }));
  const { people } = directory(ada, cleo, ...many);
  const flow = delegating(turn, { delegating: { people } });
  const id = await flow.asked();
  const reader = { id: 'm29', name: 'Manager 29', role: 'manager' };
  const { plugins } = await flow.flow.approvals.read({ principal: reader, approvalId: id });
  const { eligible, othersEligible } = plugins?.delegation ?? {};
  expect(eligible).toEqual(many.slice(0, 20).map(({ id, name }) => ({ id, name })));
  expect(othersEligible).toBe(true);
  const { items } = await flow.flow.approvals.list({ principal: reader, state: 'open' });
  expect(items).toMatchObject([{ id }]);
  expect(items[0]).not.toHaveProperty('plugins');
});

clause('0049.12', async () => {
  const seenByAda = async (showApproversToAsker?: boolean) => {
    const flow = delegating(turn, {
      delegating: showApproversToAsker === undefined ? {} : { showApproversToAsker },
    });
    return flow.flow.approvals.read({ principal: ada, approvalId: await flow.asked() });
  };
  expect((await seenByAda()).plugins).toBeUndefined();
  const delegation = { eligible: [{ id: 'ben', name: 'Ben' }] };
  expect(await seenByAda(true)).toMatchObject({ plugins: { delegation } });
});

clause('0049.13', async () => {
  const logged: string[] = [];
  const logger = { warn: () => {}, error: (text: string) => logged.push(text) };
  const flow = delegating(turn, { logger });
  const id = await flow.asked();
  flow.hooks.failing = () => Promise.reject(new Error('The directory is down.'));
  const seen = await flow.flow.approvals.read({ principal: ben, approvalId: id });
  expect([seen.mayAnswer, seen.plugins]).toEqual([true, undefined]);
  expect(logged).toContain('The directory of people failed. Nobody was found.');
  flow.hooks.failing = () => new Promise(() => {});
  const slow = flow.flow.approvals.read({ principal: ben, approvalId: id });
  await flow.clock.timer(2_000);
  flow.clock.advance(2_000);
  expect((await slow).plugins).toBeUndefined();
  await flow.answer(ben, id);
});

clause('0049.14', async () => {
  const { people } = directory(ben, cleo);
  for (const settings of [
    {},
    { people, longestMs: 0 },
    { people, longestMs: 367 * 24 * hour },
    { people, longest: 1 },
    { people: [ben] },
    { people, showApproversToAsker: 'yes' },
  ]) {
    const create = () => delegation(settings as never);
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-settings' }));
  }
  const flow = delegating();
  const until = flow.clock.now() + hour;
  for (const [to, more] of [
    ['ben', {}],
    ['nobody', {}],
    ['cleo', { until: flow.clock.now() }],
    ['cleo', { until: until + 31 * 24 * hour }],
  ] as const) {
    const attempt = flow.flow.delegation.give({ principal: ben, to, until, ...more });
    await expect(attempt).rejects.toMatchObject({ code: 'invalid-request' });
  }
});

clause('0049.15', async () => {
  const flow = delegating();
  await flow.asked();
  const feed = (await flow.flow.approvals.feed({ principal: cleo })).changes.getReader();
  let isOver = false;
  const reading = feed.read().then(() => {
    isOver = true;
  });
  const lists: string[] = [];
  for (let change = 0; change < 3; change += 1) {
    const { id: delegationId } = await flow.give(dan, cleo);
    lists.push(JSON.stringify(await flow.flow.delegation.list({ principal: cleo })));
    await flow.flow.delegation.revoke({ principal: dan, delegationId });
  }
  // Rejected: a feed ends when the delegations to its reader change. Anybody can change them.
  expect(new Set(lists).size).toBe(3);
  expect(isOver).toBe(false);
  await flow.give(ben, cleo);
  await reading;
});
