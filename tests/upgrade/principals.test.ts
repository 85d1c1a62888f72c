import { verifyAudit } from 'countersign/audit';
import { describe, expect, it } from 'vitest';
import { parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { ada, auditKey, bob } from './fixture-flow.ts';
import { oldChats, ownerOf } from './support/chats.ts';
import { fixtureRows } from './support/restored.ts';
import { todaysFlow } from './support/todays-flow.ts';

const postgres = setUpPostgres();
const rows = storesOfThisRun(fixtureRows(postgres), 'SQLite');

const now = { id: 'user:ada', name: 'Ada' };
const formerIds = { [ada.id]: now.id };
const chatsOfAda = Object.keys(oldChats).filter((id) => ownerOf(id) === ada);

describe.each(rows)('%s: a principal of the previous version, under a new id', (_name, restore) => {
  it('has its chats, at the first start and at the second, with each record unchanged', async () => {
    const { flow } = todaysFlow(await restore(), { formerIds });
    const recordOf = (id: string, principal: typeof ada) =>
      flow.audit.read({ chatId: parseChatId(id), principal });
    const records = new Map(
      await Promise.all(chatsOfAda.map(async (id) => [id, await recordOf(id, now)] as const)),
    );
    expect((await flow.chats.list({ principal: now })).items).toEqual([]);
    for (const _start of ['first', 'second']) {
      await flow.recover();
      const { items } = await flow.chats.list({ principal: now, limit: 100 });
      expect(items.map(({ id }) => id).sort()).toEqual(chatsOfAda.toSorted());
    }
    expect((await flow.chats.list({ principal: bob, limit: 100 })).items.length).toBeGreaterThan(0);
    for (const [id, { entries }] of records) {
      const after = await recordOf(id, now);
      expect(after.entries.slice(0, entries.length), id).toEqual(entries);
      expect(verifyAudit(after.entries, { key: auditKey, head: after.head }), id).toBeUndefined();
    }
  });

  it('still may not answer its own questions', async () => {
    const { flow } = todaysFlow(await restore(), { formerIds });
    await flow.recover();
    const approvalId = parseApprovalId(oldChats['for-others']?.open ?? '');
    const answer = { approvalId, approved: true, via: 'test' };
    await expect(flow.approvals.answer({ ...answer, principal: now })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await flow.approvals.answer({ ...answer, principal: bob });
  });

  it('has its remembered approvals', async () => {
    const { flow, chat, ran } = todaysFlow(await restore(), { formerIds });
    await flow.recover();
    ran.length = 0;
    await chat('of-today', now).say('note_anywhere {"n":1}');
    expect(ran).toHaveLength(1);
    expect((await flow.remembered.list({ principal: now })).items).toHaveLength(4);
    await chat('of-bob', bob).say('note_anywhere {"n":1}');
    expect(ran).toHaveLength(1);
  });
});
