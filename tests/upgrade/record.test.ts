import { verifyAudit } from 'countersign/audit';
import { describe, expect, it } from 'vitest';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { auditKey as key } from './fixture-flow.ts';
import { oldChats, ownerOf } from './support/chats.ts';
import { fixtureRows } from './support/restored.ts';
import { answerAll, todaysFlow } from './support/todays-flow.ts';

const postgres = setUpPostgres();
const rows = storesOfThisRun(fixtureRows(postgres), 'Postgres');

describe.each(rows)('%s: the record that the previous version sealed', (_name, restore) => {
  it('verifies with its key, and ends at the same head', async () => {
    const { flow, chat } = todaysFlow(await restore());
    for (const [id, { record }] of Object.entries(oldChats)) {
      const principal = ownerOf(id);
      const { entries, head } = await flow.audit.read({ chatId: chat(id).id, principal });
      expect(verifyAudit(entries, { key, head, notedHead: record.head || undefined }), id).toBeUndefined();
      expect([entries.length, head], id).toEqual([record.entries, record.head]);
    }
    const { entries, head } = await flow.audit.read({
      chatId: chat('ended').id,
      principal: ownerOf('ended'),
    });
    expect(verifyAudit(entries, { key: 'another key of that length', head })).toMatchObject({ index: 0 });
  });

  it.for(['open', 'between', 'unknown', 'grants'])('is continued in the chat "%s"', async (id) => {
    const { flow, chat } = todaysFlow(await restore());
    const page = chat(id);
    await answerAll(page, true);
    await page.say('pay {"to":"alice","amount":1}');
    await answerAll(page, true);
    const { entries, head } = await flow.audit.read({ chatId: page.id, principal: ownerOf(id) });
    const old = oldChats[id]?.record;
    expect(entries.length).toBeGreaterThan(old?.entries ?? 0);
    expect(verifyAudit(entries, { key, head, notedHead: old?.head })).toBeUndefined();
  });
});
