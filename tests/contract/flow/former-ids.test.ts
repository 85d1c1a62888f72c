import { createApprovalFlow, notTheAsker } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { remembered } from 'countersign/plugins/remembered';
import type { Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseApprovalId, parseChatId } from '../../../lib/protocol/index.ts';
import { type AdministeredStore, administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const auditKey = 'an audit key for tests';
const stores = administeredStoresOfThisRun('SQLite');

const before = { id: 'key:ben', name: 'ben' };
const ben = { id: 'user:ben', name: 'Ben' };
const ada = { id: 'user:ada', name: 'Ada' };
const formerIds = { 'key:ben': 'user:ben' };
const pay = (amount: number) => ({ call: 'pay', input: { to: 'alice', amount } });
const done = { text: 'Done.' };

type Settings = Parameters<typeof flowFixture>[1];

/** A flow of the earlier version's ids, and one on the same data that knows of the new ones. */
function twoVersions(
  create: () => AdministeredStore,
  scripts: readonly [Script, Script],
  settings: Settings = {},
) {
  const { store, another } = create();
  const common = { auditKey, sweepMs: 1e9, ...settings };
  const old = flowFixture(scripts[0], { ...common, store, plugins: [remembered()] });
  const now = flowFixture(scripts[1], { ...common, formerIds, store: another(), plugins: [remembered()] });
  onTestFinished(async () => {
    await old.flow.close();
    await now.flow.close();
  });
  return { old, now };
}

describe.each(stores)('a principal whose id has changed, on %s', (_name, create) => {
  it('finds its chats and open questions with the new id, and the record is unchanged', async () => {
    const { old, now } = twoVersions(create, [[[pay(30)], [pay(40)]], [[done]]]);
    const question = questionIn(await old.chat('one', before).say('Pay Alice 30.'));
    await old.chat('two', before).say('Pay Alice 40.');
    const record = await old.flow.audit.read({ chatId: parseChatId('one'), principal: before });
    await now.flow.recover();
    await now.flow.recover();

    const { items } = await now.flow.chats.list({ principal: ben });
    expect(items.map(({ id, openCount }) => [id, openCount])).toEqual([
      ['two', 1],
      ['one', 1],
    ]);
    expect((await now.flow.approvals.list({ principal: ben, state: 'open' })).items).toHaveLength(2);
    expect(await now.flow.audit.read({ chatId: parseChatId('one'), principal: ben })).toEqual(record);
    await now.chat('one', ben).answer(question, true);
    const after = await now.flow.audit.read({ chatId: parseChatId('one'), principal: ben });
    expect(after.entries.slice(0, record.entries.length)).toEqual(record.entries);
    expect(verifyAudit(after.entries, { key: auditKey, head: after.head })).toBeUndefined();
    expect(now.ran).toMatchObject([{ tool: 'pay', input: { amount: 30 } }]);
  });

  it('may not answer, under four eyes, what it asked with the former id, now or later in the turn', async () => {
    const settings: Settings = { mayAnswer: notTheAsker };
    const { old, now } = twoVersions(create, [[[pay(30)]], [[pay(40)], [done]]], settings);
    const chatId = parseChatId('chat');
    const first = parseApprovalId(questionIn(await old.chat('chat', before).say('Pay Alice twice.')));
    await now.flow.recover();
    const answer = (approvalId: typeof first, principal: typeof ben) =>
      now.flow.approvals.answer({ approvalId, principal, approved: true, via: 'test' });

    await expect(answer(first, ben)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await now.flow.approvals.read({ principal: ben, approvalId: first })).mayAnswer).toBe(false);
    await answer(first, ada);
    await now.chat('chat', ben).resume();
    const { open } = await now.flow.chats.read({ chatId, principal: ben });
    if (!open) throw new Error('The second payment was not asked about.');
    await expect(answer(open, ben)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(answer(open, before)).rejects.toMatchObject({ code: 'forbidden' });
    await answer(open, ada);
  });

  it('is passed to tools, and custom rules see one person', async () => {
    const seen: unknown[] = [];
    const settings: Settings = {
      mayChange: (principal, { ownerId }) => principal.id === ownerId,
      mayAnswer: (principal, { askedBy, ownerId }) => {
        seen.push([askedBy.id, ownerId]);
        return principal.id === askedBy.id;
      },
    };
    const { old, now } = twoVersions(create, [[[pay(30)]], [[done]]], settings);
    const question = questionIn(await old.chat('chat', before).say('Pay Alice.'));
    await now.flow.recover();
    seen.length = 0;
    await now.chat('chat', ben).answer(question, true);
    expect(new Set(seen.map(String))).toEqual(new Set(['user:ben,user:ben']));
  });

  it('keeps its remembered approvals, with their seals, and can revoke them', async () => {
    const script: Script = [[pay(30)], [done]];
    const { old, now } = twoVersions(create, [script, [[pay(30)], [done], [pay(30)]]]);
    const chat = old.chat('chat', before);
    const question = questionIn(await chat.say('Pay Alice.'));
    await chat.answer(question, true, { plugins: { remembered: { scope: 'me', match: 'tool' } } });
    await now.flow.recover();

    await now.chat('new', ben).say('Pay Alice.');
    expect(now.ran).toHaveLength(1);
    const [grant] = (await now.flow.remembered.list({ principal: ben })).items;
    if (!grant) throw new Error('Nothing is remembered.');
    await expect(now.flow.remembered.forget({ principal: ada, grantId: grant.id })).rejects.toMatchObject({
      code: 'not-found',
    });
    await now.flow.remembered.forget({ principal: ben, grantId: grant.id });
    questionIn(await now.chat('newer', ben).say('Pay Alice.'));
    expect(now.ran).toHaveLength(1);
  });

  it('gets a warning about a call that it made with the former id', async () => {
    const { old, now } = twoVersions(create, [[[pay(30)], [done]], [[pay(30)]]]);
    const chat = old.chat('chat', before);
    await chat.answer(questionIn(await chat.say('Pay Alice.')), true);
    await now.flow.recover();
    const again = parseApprovalId(questionIn(await now.chat('new', ben).say('Pay Alice.')));
    expect((await now.flow.approvals.read({ principal: ben, approvalId: again })).repeatOf).toMatchObject({
      outcome: 'completed',
      chatId: 'chat',
    });
  });

  it('reaches a chat that an older instance starts meanwhile, and lists it from the next start on', async () => {
    const { old, now } = twoVersions(create, [[[pay(30)]], []], { mayAnswer: notTheAsker });
    await now.flow.recover();
    const question = parseApprovalId(questionIn(await old.chat('late', before).say('Pay Alice.')));
    expect((await now.flow.chats.read({ chatId: parseChatId('late'), principal: ben })).open).toBe(question);
    await expect(
      now.flow.approvals.answer({ approvalId: question, principal: ben, approved: true, via: 'test' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    expect((await now.flow.chats.list({ principal: ben })).items).toEqual([]);
    await now.flow.recover();
    expect((await now.flow.chats.list({ principal: ben })).items.map(({ id }) => id)).toEqual(['late']);
  });

  it('leaves everyone else’s data unchanged', async () => {
    const { old, now } = twoVersions(create, [[[done], [done]], []]);
    await old.chat('of-ada', ada).say('Hello.');
    await old.chat('of-key', { id: 'key:benny', name: 'benny' }).say('Hello.');
    await now.flow.recover();
    expect((await now.flow.chats.list({ principal: ben })).items).toEqual([]);
    expect((await now.flow.chats.list({ principal: ada })).items.map(({ id }) => id)).toEqual(['of-ada']);
    await expect(
      now.flow.chats.read({ chatId: parseChatId('of-key'), principal: ben }),
    ).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('the setting `formerIds`', () => {
  it.each<[string, unknown, string]>([
    ['a list', ['key:ben'], 'formerIds'],
    ['an id that is not a string', { 'key:ben': 7 }, 'formerIds.key:ben'],
    ['an empty id', { 'key:ben': '' }, 'formerIds.key:ben'],
    ['an empty former id', { '': 'user:ben' }, 'formerIds'],
    ['a chain', { a: 'b', b: 'c' }, 'formerIds.a'],
    ['a circle', { a: 'a' }, 'formerIds.a'],
  ])('refuses %s', (_what, value, path) => {
    const { store, model } = flowFixture([]);
    expect(() => createApprovalFlow({ store, model, formerIds: value as never })).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) }),
    );
  });
});
