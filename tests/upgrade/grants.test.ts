import { describe, expect, it } from 'vitest';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { ada, bob } from './fixture-flow.ts';
import { fixtureRows } from './support/restored.ts';
import { todaysFlow } from './support/todays-flow.ts';

const postgres = setUpPostgres();
const rows = storesOfThisRun(fixtureRows(postgres), 'Postgres');

/** Where a remembered approval of `{"n":1}` applies: to the same call, to another number, in another chat. */
const reach = [
  ['note_in_chat', { same: true, another: true, elsewhere: false }],
  ['note_in_chat_exactly', { same: true, another: false, elsewhere: false }],
  ['note_anywhere', { same: true, another: true, elsewhere: true }],
  ['note_anywhere_exactly', { same: true, another: false, elsewhere: true }],
] as const;

describe.each(rows)('%s: approvals remembered by the previous version', (_name, restore) => {
  it.for(reach)('%s applies where it did before, and nowhere else', async ([tool, expected]) => {
    const { chat, ran } = todaysFlow(await restore());
    const runsUnasked = async (id: string, principal: typeof ada, n: number) => {
      const before = ran.length;
      const page = chat(id, principal);
      await page.say(`${tool} {"n":${n}}`);
      expect((await page.view()).open === undefined).toBe(ran.length > before);
      return ran.length > before;
    };
    expect(await runsUnasked('grants', ada, 1)).toBe(expected.same);
    expect(await runsUnasked('grants', ada, 2)).toBe(expected.another);
    expect(await runsUnasked('new-chat', ada, 1)).toBe(expected.elsewhere);
    expect(await runsUnasked('chat-of-bob', bob, 1)).toBe(false);
  });

  it('are listed with their uses, and can be revoked', async () => {
    const { flow, chat, ran } = todaysFlow(await restore());
    const { items } = await flow.remembered.list({ principal: ada });
    expect(items.map(({ toolName, uses }) => [toolName, uses])).toEqual([
      ['note_anywhere_exactly', 0],
      ['note_anywhere', 0],
      ['note_in_chat_exactly', 0],
      ['note_in_chat', 1],
    ]);
    for (const { id: grantId } of items) await flow.remembered.forget({ principal: ada, grantId });
    const page = chat('grants');
    await page.say('note_in_chat {"n":1}');
    expect((await page.view()).open).toBeDefined();
    expect(ran).toEqual([]);
  });
});
