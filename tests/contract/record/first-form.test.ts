import { readFileSync } from 'node:fs';
import { type FlowSettings, verifyAudit } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { ChatHead } from '../../../lib/log/store-port.ts';
import type { FlowEvent, Question } from '../../../lib/protocol/index.ts';
import { ada, flowFixture } from '../../support/flow-fixture.ts';

const auditKey = 'an audit key for tests';

/** A chat as commit 6bf2b3b left it: an edited approval, a denial, a policy's yes, secrets, and an open question. */
const recorded: {
  head: ChatHead;
  events: FlowEvent[];
  entries: { seal: string }[];
  questions: Question[];
} = JSON.parse(readFileSync(new URL('./recorded/first-form.json', import.meta.url), 'utf8'));

async function opened(key: FlowSettings['auditKey']) {
  const store = sqliteStore({ path: ':memory:' });
  const { head, events, questions } = recorded;
  await store.append({ chatId: head.id, after: 0, events, head, questions, owner: 'before', lease: null });
  const clock = fakeClock();
  const toolDetails = { pay: { secrets: { input: ['to'] }, risk: 'high' as const } };
  const fixture = flowFixture([[{ text: 'Done.' }]], { auditKey: key, clock, store, toolDetails });
  onTestFinished(() => fixture.flow.close());
  return fixture;
}

it.each<[string, FlowSettings['auditKey']]>([
  ['its key', auditKey],
  [
    'a ring that has its key without an id',
    { current: { id: 'k2', key: 'a second key for tests' }, former: [{ key: auditKey }] },
  ],
])('a record whose seals name no key still verifies with %s, and goes on', async (_name, key) => {
  const { flow, chat, ran } = await opened(key);
  const before = await flow.audit({ principal: ada, chatId: chat().id });
  expect(JSON.parse(JSON.stringify(before.entries))).toEqual(recorded.entries);
  expect(before.faults).toEqual([]);
  const check = { key: key ?? '', head: before.head };
  expect(verifyAudit(before.entries, check)).toBeUndefined();
  expect(verifyAudit(recorded.entries, check)).toBeUndefined();

  await chat().answer(recorded.questions[0]?.id ?? '', true);
  expect(ran).toMatchObject([{ tool: 'pay', input: { to: 'alice', amount: 3 } }]);
  const { entries, head, faults } = await flow.audit({ principal: ada, chatId: chat().id });
  expect(entries.slice(before.entries.length)).toMatchObject([
    { type: 'answered', rule: 'owner', approves: expect.stringMatching(/^hmac-sha256:/) },
    { type: 'started' },
    { type: 'ended' },
  ]);
  expect(verifyAudit(entries, { ...check, head, notedHead: before.head, faults })).toBeUndefined();
});

it('such a record is still found to be changed', () => {
  const changed = recorded.entries.map((entry) => ({ ...entry, approved: true }));
  const head = recorded.entries.at(-1)?.seal ?? '';
  expect(verifyAudit(changed, { key: auditKey, head })).toMatchObject({ index: 0 });
});
