import { createHash, createHmac } from 'node:crypto';
import type { FlowSettings } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import type { FlowEvent } from 'countersign/plugin';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import type { ScriptedStep } from 'countersign/testing';
import { expect, onTestFinished } from 'vitest';
import { canonicalJson } from '../../lib/protocol/index.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { withAuditTable } from './rejected/audit-table.ts';
import { breakOf, hashChain } from './rejected/hash-chain.ts';

const { clause } = adr('0010-sealed-audit-record.md');

const auditKey = 'an audit key for tests';
const alice = { to: 'Alice', amount: 30 };
const pay: ScriptedStep = [{ call: 'pay', input: alice }];
const done: ScriptedStep = [{ text: 'Done.' }];

function audited(script: ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const fixture = flowFixture(script, { auditKey, ...settings });
  onTestFinished(() => fixture.flow.close());
  const record = (chatId = 'chat') =>
    fixture.flow.audit.read({ principal: ada, chatId: fixture.chat(chatId).id });
  return { ...fixture, record };
}

/** A denied payment in a database file that an administrator can write to. */
async function deniedPayment() {
  const { store, administer } = administeredSqlite();
  const { record, say, answer } = audited([pay, done], { store });
  await answer(questionIn(await say('Pay Alice.')), false);
  return { record, administer };
}

clause('0010.1', async () => {
  const { record, administer } = await deniedPayment();
  const { entries, head } = await record();
  const isAnswer = ({ type }: { type: string }) => type === 'answered';
  const forged = entries.map((entry) => (isAnswer(entry) ? { ...entry, approved: true } : entry));

  await administer(`update events set body = replace(body, '"approved":false', '"approved":true')`);
  const read = await record();
  expect(read.entries.find(isAnswer)).toHaveProperty('approved', true);
  expect(verifyAudit(read.entries, { key: auditKey, head })).toMatchObject({ index: 1 });

  expect(breakOf(hashChain(entries))).toBe(-1);
  expect(breakOf(hashChain(forged))).toBe(-1);
});

clause('0010.2', async () => {
  const { record, administer } = await deniedPayment();
  const noted = await record();
  await administer(`delete from events where seq >= (select seq from events where body like '%approval-answered%');
    update chats set seq = (select max(seq) from events),
      audit_head = (select json_extract(body, '$.seal') from events where body like '%approval-requested%')`);
  const cut = await record();
  expect(cut.entries.map(({ type }) => type)).toEqual(['asked']);
  expect(verifyAudit(cut.entries, { key: auditKey, head: cut.head })).toBeUndefined();
  const check = { key: auditKey, head: cut.head, notedHead: noted.head };
  expect(verifyAudit(cut.entries, check)).toMatchObject({ index: 1 });
});

clause('0010.3', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const seals: (string | undefined)[] = [];
  const watching: FlowStore = {
    ...store,
    append: async (batch) => {
      const result = await store.append(batch);
      const sealed = batch.events.flatMap(({ seal }) => seal ?? []);
      seals.push(...sealed);
      if (sealed.length > 0) expect((await store.chats.head(batch.chatId))?.auditHead).toBe(sealed.at(-1));
      return result;
    },
  };
  const { record, say, answer } = audited([pay, done], { store: watching });
  await answer(questionIn(await say('Pay Alice.')), true);
  expect((await record()).entries.map(({ seal }) => seal)).toEqual(seals);
  expect(seals).toHaveLength(4);

  const isPayment = (events: readonly FlowEvent[]) => events.some(({ type }) => type === 'tool-completed');
  const beside = withAuditTable(sqliteStore({ path: ':memory:' }), (written) => !isPayment(written));
  const rejected = audited([pay, done], { store: beside.store });
  await rejected.chat().answer(questionIn(await rejected.chat().say('Pay Alice.')), true);
  expect(rejected.ran).toHaveLength(1);
  expect(beside.table).toContain('tool-started');
  expect(beside.table).not.toContain('tool-completed');
});

clause('0010.4', async () => {
  const secrets = { input: ['to'] };
  const pin = '4711';
  const { record, say, answer } = audited([[{ call: 'pay', input: { to: pin, amount: 30 } }], done], {
    toolDetails: { pay: { secrets } },
  });
  await answer(questionIn(await say('Pay.')), true);
  const { entries } = await record();
  const [shown, ran] = entries.flatMap((entry) => ('inputDigest' in entry ? [entry.inputDigest] : []));
  expect(JSON.stringify(entries)).not.toContain(pin);
  expect(shown).toMatch(/^hmac-sha256:/);
  expect(shown).toBe(ran);

  const pins = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(4, '0'));
  const inputs = pins.map((to) => canonicalJson({ to, amount: 30 }));
  const plain = (text: string) => createHash('sha256').update(text).digest('base64url');
  const unkeyed = (text: string) => createHmac('sha256', '').update(text).digest('base64url');
  expect(inputs.findIndex((text) => plain(text) === plain(canonicalJson({ to: pin, amount: 30 })))).toBe(
    4711,
  );
  expect(inputs.filter((text) => shown?.endsWith(plain(text)) || shown?.endsWith(unkeyed(text)))).toEqual([]);
});

clause('0010.5', async () => {
  const { chat, record } = audited([pay, pay]);
  await chat('paid').say('Pay.');
  await chat('disputed').say('Pay.');
  const { entries, head } = await record('paid');
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  const passedOff = entries.map((entry) => ({ ...entry, chatId: 'disputed' }));
  expect(verifyAudit(passedOff, { key: auditKey, head })).toMatchObject({ index: 0 });
});

clause('0010.6', async () => {
  const first = audited([pay]);
  const question = questionIn(await first.chat().say('Pay Alice.'));
  await first.flow.close();

  const second = audited([done, pay], { store: first.store });
  const { answer, ask } = second.chat();
  await answer(question, true);
  await second.read(await ask({ trigger: 'regenerate-message' }));
  const { entries, head } = await second.record();
  expect(entries.map(({ type }) => type)).toEqual(['asked', 'answered', 'started', 'ended', 'asked']);
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
});
