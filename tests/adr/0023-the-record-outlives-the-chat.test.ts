import type { FlowSettings } from 'countersign';
import { type AuditSection, verifyAudit, verifyAuditStore } from 'countersign/audit';
import { remembered } from 'countersign/plugins/remembered';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { expect, onTestFinished } from 'vitest';
import { createSeals } from '../../lib/log/seal/audit-keys.ts';
import { flowLogId, parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { brokenSeal } from '../../lib/views/audit/verify-audit.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';

const { clause } = adr('0023-the-record-outlives-the-chat.md');

const auditKey = 'an audit key for tests';
const alice = { to: 'Alice', amount: 30 };
const pay: ScriptedStep = [{ call: 'pay', input: alice }];
const done: ScriptedStep = [{ text: 'Done.' }];
const eve = { id: 'eve', name: 'Eve' };
const clock = fakeClock();
const logger = { warn: () => {}, error: () => {} };

function audited(script: ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const fixture = flowFixture(script, { auditKey, clock, logger, sweepMs: 1e9, ...settings });
  onTestFinished(() => fixture.flow.close());
  const { flow, chat } = fixture;
  return {
    ...fixture,
    record: (id = 'chat') => flow.audit.read({ principal: ada, chatId: parseChatId(id) }),
    paid: async (id = 'chat') => {
      await chat(id).answer(questionIn(await chat(id).say('Pay Alice, she waits.')), true);
    },
    erase: (id = 'chat') => flow.chats.erase({ principal: ada, chatId: parseChatId(id) }),
    kept: async () => (await flow.audit.kept({ principal: ada })).items,
    exported: async () => {
      const sections: AuditSection[] = [];
      for await (const section of flow.audit.export()) sections.push(JSON.parse(JSON.stringify(section)));
      return sections;
    },
  };
}

/** A question that an administrator answers in the database. Another instance takes the run over. */
async function forgedApproval(settings: Partial<FlowSettings>) {
  const { store, administer } = administeredSqlite();
  const first = audited([pay], { store, ...settings });
  const approvalId = questionIn(await first.chat().say('Pay Alice.'));
  const toolCallId = (await first.chat().view()).questions[0]?.toolCallId;
  const row = {
    approvalId,
    toolCallId,
    approved: true,
    input: { to: 'Eve', amount: 9 },
    by: ada,
    via: 'http',
  };
  for (const body of [
    { type: 'run-started', messageId: 'm', release: 'final', by: ada },
    { type: 'approval-answered', ...row },
  ]) {
    await administer(`insert into events (chat, seq, at, run, body)
      select chat, seq + 1, updated_at, 'run_forged', '${JSON.stringify(body)}' from chats;
      update chats set seq = seq + 1`);
  }
  await administer(`update chats set status = 'active', run = 'run_forged', open = null, lease_owner = 'gone',
    lease_until = 0`);
  const second = audited([done], { store, ...settings });
  await second.flow.recover();
  await second.chat().resume();
  return second;
}

clause('0023.1', async () => {
  const { ran, record } = await forgedApproval({});
  expect(ran).toEqual([]);
  const { entries, head, faults } = await record();
  expect(faults).toMatchObject([{ type: 'unsealed', event: 'approval-answered' }]);
  expect(verifyAudit(entries, { key: auditKey, head, faults })).toBeDefined();

  const rejected = await forgedApproval({ auditKey: undefined });
  expect(rejected.ran).toMatchObject([{ input: { to: 'Eve', amount: 9 } }]);
});

clause('0023.2', async () => {
  const overForgedGrant = async (settings: Partial<FlowSettings>) => {
    const { store, administer } = administeredSqlite();
    const common = { store, plugins: [remembered()], ...settings };
    const first = audited([pay, done], common);
    const remember = { scope: 'me' as const, match: 'tool' as const };
    await first
      .chat()
      .answer(questionIn(await first.chat().say('Pay.')), true, { plugins: { remembered: remember } });
    await administer(`update records set value = replace(value, 'grant_', 'grant_forged_')`);
    const second = audited([pay, done], common);
    await second.chat('other').say('Pay.');
    return second.ran;
  };
  expect(await overForgedGrant({})).toEqual([]);
  expect(await overForgedGrant({ auditKey: undefined })).toHaveLength(1);
});

clause('0023.3', async () => {
  const { paid, record } = audited([pay, done]);
  await paid();
  const { entries, head } = await record();
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();

  const seals = createSeals(auditKey);
  let previous: string | null = null;
  const unapproved = entries.flatMap(({ seal: _seal, ...facts }) => {
    if (facts.type === 'answered') return [];
    previous = seals.make(previous, facts);
    return [{ ...facts, seal: previous }];
  });
  const check = { key: auditKey, head: previous ?? '' };
  expect(verifyAudit(unapproved, check)).toMatchObject({ index: 1 });
  const chainOnly = unapproved.map((entry, index) =>
    brokenSeal(seals, unapproved[index - 1]?.seal ?? null, entry, index),
  );
  expect(chainOnly).toEqual([undefined, undefined, undefined]);
});

clause('0023.4', async () => {
  const { paid, erase, kept, record, exported } = audited([pay, done]);
  await paid();
  const { entries: whole } = await record();
  await erase();
  const [left] = await kept();
  expect(JSON.stringify(left)).not.toContain('she waits');
  expect(left?.entries.map(({ entry }) => entry.seal)).toEqual(whole.map(({ seal }) => seal));
  expect(verifyAuditStore(await exported(), { key: auditKey })).toEqual([]);

  const seals = createSeals(auditKey);
  const [, answered] = left?.entries ?? [];
  if (!answered) throw new Error('No answer was kept.');
  expect(brokenSeal(seals, answered.previous, answered.entry, 1)).toBeUndefined();
  expect(brokenSeal(seals, null, answered.entry, 1)).toContain('missing');
});

clause('0023.5', async () => {
  const { store, administer } = administeredSqlite();
  const { paid, flow, exported, record } = audited([pay, done, pay, done], { store });
  await paid('one');
  await paid('two');
  await flow.recover();
  expect(verifyAuditStore(await exported(), { key: auditKey })).toEqual([]);
  await administer(`delete from chats where id = 'two'`);
  expect(verifyAuditStore(await exported(), { key: auditKey })).toMatchObject([{ chatId: 'two' }]);

  const { entries, head } = await record('one');
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
});

clause('0023.6', async () => {
  const current = { id: 'k2', key: 'a second key for tests' };
  const ring = { current, former: [{ key: auditKey }] };
  const first = audited([pay]);
  const approvalId = questionIn(await first.chat().say('Pay.'));
  const second = audited([done], { store: first.store, auditKey: ring });
  await second.flow.recover();
  await second.chat().answer(approvalId, true);
  expect(second.ran).toHaveLength(1);
  const { entries, head } = await second.record();
  expect(verifyAudit(entries, { key: ring, head })).toBeUndefined();

  const alone = audited([], { store: first.store, auditKey: { current: { id: 'k3', key: current.key } } });
  await expect(alone.flow.recover()).rejects.toMatchObject({
    code: 'invalid-settings',
    fields: { path: 'auditKey', keyId: 'k2' },
  });
});

clause('0023.7', async () => {
  const chatId = parseChatId('chat');
  const request = { principal: eve, chatId, reason: 'Asked for.' };
  const byDefault = audited([pay, done], { mayChange: () => true });
  await byDefault.paid();
  await byDefault.erase();
  await expect(byDefault.flow.audit.purge(request)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await byDefault.kept()).toHaveLength(1);

  const allowed = audited([], { store: byDefault.store, mayPurge: ({ id }) => id === 'eve' });
  await allowed.flow.audit.purge(request);
  expect(await allowed.kept()).toEqual([]);
  const log: readonly object[] = await allowed.store.events.read(flowLogId, 0);
  expect(log.at(-1)).toMatchObject({ type: 'record-purged', by: eve, reason: 'Asked for.' });
  expect(verifyAuditStore(await allowed.exported(), { key: auditKey })).toEqual([]);
});

clause('0023.8', async () => {
  const twoInstances = async (paused: (flow: ReturnType<typeof audited>['flow']) => Promise<unknown>) => {
    const here = audited([pay, done]);
    const there = audited([done], { store: here.store });
    const approvalId = parseApprovalId(questionIn(await here.chat().say('Pay.')));
    await paused(here.flow);
    await there.flow.recover();
    const answer = (approved: boolean) =>
      there.flow.approvals.answer({ principal: ada, approvalId, approved, via: 'http' });
    return { ...there, answer };
  };
  const { answer, ran } = await twoInstances((flow) =>
    flow.tools.pause({ principal: eve, tool: 'pay', reason: 'The bank is down.' }),
  );
  await expect(answer(true)).rejects.toMatchObject({ code: 'paused' });
  expect(await answer(false)).toMatchObject({ state: 'denied' });
  expect(ran).toEqual([]);

  // Another process does not see a switch in this one.
  const switches = { here: false };
  const rejected = await twoInstances(async () => {
    switches.here = true;
  });
  await rejected.answer(true);
  await rejected.chat().resume();
  expect(switches.here).toBe(true);
  expect(rejected.ran).toHaveLength(1);
});
