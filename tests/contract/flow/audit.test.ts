// depends on: only its imports
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FlowSettings } from 'countersign';
import { type SealedEntry, verifyAudit } from 'countersign/audit';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const key = 'an audit key for tests';
const pay = (amount = 30) => ({ call: 'pay', input: { to: 'alice', amount } });
const done = { text: 'Done.' };
const bo = { id: 'bo', name: 'Bo' };

/** A flow that seals its record, on a clock that stands still. */
function audited(script: Script, settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const fixture = flowFixture(script, { auditKey: key, clock, ...settings });
  onTestFinished(() => fixture.flow.close());
  return {
    ...fixture,
    clock,
    record: (chatId = 'chat') => fixture.flow.audit.read({ principal: ada, chatId: fixture.chat(chatId).id }),
  };
}

type Recorded = Awaited<ReturnType<ReturnType<typeof audited>['record']>>;

/** What a check finds of a record, its own head included. */
const faultOf = ({ entries, head }: { entries: readonly SealedEntry[]; head: string }, notedHead?: string) =>
  verifyAudit(entries, { key, head, notedHead });

const typesOf = ({ entries }: Recorded) =>
  entries.map((entry) => (entry.type === 'ended' ? entry.outcome : entry.type));

/** One turn with an approval, one with a denial. */
async function twoTurns() {
  const world = audited([[pay(1)], [done], [pay(2)], [done]]);
  const { say, answer } = world.chat();
  await answer(questionIn(await say('Pay 1.')), true);
  await answer(questionIn(await say('Pay 2.')), false, { reason: 'Too much.' });
  return { ...world, recorded: await world.record() };
}

describe('the record of a question', () => {
  it('says who was asked what and when, who answered and how, what ran and how it ended', async () => {
    const { record, clock, flow, say, resume } = audited([[pay()], [done]], {
      mayAnswer: () => true,
      deadlineMs: 9_000,
      toolDetails: { pay: { describe: () => 'Pay Alice 30.' } },
    });
    const approvalId = questionIn(await say('Pay.'));
    const askedAt = new Date(clock.now()).toISOString();
    clock.advance(5_000);
    const answer = { approved: true, reason: 'Fine.', via: 'http' };
    await flow.approvals.answer({ principal: bo, approvalId: parseApprovalId(approvalId), ...answer });
    await resume();

    const { entries, head } = await record();
    const call = { chatId: 'chat', toolName: 'pay', toolCallId: expect.any(String) };
    const answeredAt = new Date(clock.now()).toISOString();
    const input = { to: 'alice', amount: 30 };
    const { id, name } = ada;
    expect(entries).toMatchObject([
      {
        ...call,
        type: 'asked',
        approvalId,
        at: askedAt,
        askedBy: { id, name },
        description: 'Pay Alice 30.',
        input,
      },
      { ...call, type: 'answered', approvalId, at: answeredAt, by: bo, ...answer },
      { ...call, type: 'started', at: answeredAt, input },
      { ...call, type: 'ended', outcome: 'completed', digest: expect.stringMatching(/^hmac-sha256:.{43}$/) },
    ]);
    expect(entries[0]).toHaveProperty('deadline', new Date(clock.now() + 4_000).toISOString());
    expect(head).toBe(entries.at(-1)?.seal);
    expect(faultOf({ entries, head })).toBeUndefined();
  });

  it.each<
    [
      string,
      Script,
      Partial<FlowSettings>,
      (world: ReturnType<typeof audited>) => Promise<unknown>,
      unknown[],
    ]
  >([
    [
      'a denial, with its reason',
      [[pay()], [done]],
      {},
      async ({ chat }) => {
        const { say, answer } = chat();
        return answer(questionIn(await say('Pay.')), false, { reason: 'No.' });
      },
      [
        { type: 'asked' },
        { type: 'answered', approved: false, reason: 'No.', via: 'test' },
        { type: 'ended', outcome: 'denied', error: 'No.' },
      ],
    ],
    [
      'edited arguments, beside those that were shown',
      [[pay()], [done]],
      {},
      async ({ chat }) => {
        const { say, answer } = chat();
        return answer(questionIn(await say('Pay.')), true, { input: { to: 'bob', amount: 1 } });
      },
      [
        { type: 'asked', input: { to: 'alice', amount: 30 } },
        { type: 'answered', input: { to: 'bob', amount: 1 } },
        { type: 'started', input: { to: 'bob', amount: 1 } },
        { type: 'ended', outcome: 'completed' },
      ],
    ],
    [
      'a question that a new message superseded',
      [[pay()], [done]],
      {},
      async ({ chat }) => {
        const { say } = chat();
        await say('Pay.');
        return say('Never mind.');
      },
      [{ type: 'asked' }, { type: 'withdrawn', reason: 'superseded' }, { type: 'ended', outcome: 'denied' }],
    ],
    [
      'a question that was stopped',
      [[pay()], [done]],
      {},
      async ({ chat }) => {
        const { say, stop } = chat();
        await say('Pay.');
        return stop();
      },
      [{ type: 'asked' }, { type: 'withdrawn', reason: 'cancelled' }, { type: 'ended', outcome: 'denied' }],
    ],
    [
      'a question that expired',
      [[pay()], [done]],
      { deadlineMs: 1_000 },
      async ({ chat, clock, flow }) => {
        const { say, resume } = chat();
        await say('Pay.');
        clock.advance(1_000);
        await flow.recover();
        return resume();
      },
      [{ type: 'asked' }, { type: 'withdrawn', reason: 'expired' }, { type: 'ended', outcome: 'denied' }],
    ],
    [
      'an automatic approval, and what ran',
      [[pay()], [done]],
      { toolApproval: { pay: { type: 'approved', reason: 'Small.' } } },
      async ({ chat }) => chat().say('Pay.'),
      [
        { type: 'decided', approved: true, reason: 'Small.', input: { to: 'alice', amount: 30 } },
        { type: 'started' },
        { type: 'ended', outcome: 'completed' },
      ],
    ],
    [
      'an automatic denial, and its call',
      [[pay()], [done]],
      { toolApproval: { pay: { type: 'denied', reason: 'Never.' } } },
      async ({ chat }) => chat().say('Pay.'),
      [
        { type: 'decided', approved: false, reason: 'Never.', input: { to: 'alice', amount: 30 } },
        { type: 'ended', outcome: 'denied', error: 'Never.' },
      ],
    ],
    [
      'a call without a gate',
      [[{ call: 'weather', input: { city: 'Tokyo' } }], [done]],
      {},
      async ({ chat }) => chat().say('Hi.'),
      [
        { type: 'requested', gate: 'none', input: { city: 'Tokyo' } },
        { type: 'started', gate: 'none', input: { city: 'Tokyo' } },
        { type: 'ended', gate: 'none', outcome: 'completed' },
      ],
    ],
  ])('contains %s', async (_name, script, settings, act, expected) => {
    const world = audited(script, settings);
    await act(world);
    const recorded = await world.record();
    expect(recorded.entries).toHaveLength(expected.length);
    expect(recorded.entries).toMatchObject(expected);
    expect(faultOf(recorded)).toBeUndefined();
  });

  it.each<[string, Partial<FlowSettings>, string]>([
    ['the flow’s rule', { mayAnswer: () => true }, 'flow'],
    ['the tool’s approvers', { toolDetails: { pay: { approvers: () => true } } }, 'approvers'],
    ['both', { mayAnswer: () => true, toolDetails: { pay: { approvers: () => true } } }, 'both'],
    ['ownership of the chat alone', {}, 'owner'],
  ])(
    'contains the role, session, sign-in and right of the person who answered, allowed by %s',
    async (_rule, settings, rule) => {
      const { flow, chat, record } = audited([[pay()], [done]], settings);
      const approvalId = parseApprovalId(questionIn(await chat().say('Pay.')));
      const authenticatedAt = Date.UTC(2030, 0, 1);
      const proof = { authenticatedAt, authenticationMethods: ['pwd', 'otp'] };
      const principal = { ...ada, role: 'manager', sessionId: 'session-7', ...proof };
      await flow.approvals.answer({ principal, approvalId, approved: true, via: 'http' });
      await chat().resume();
      const recorded = await record();
      expect(recorded.entries[1]).toMatchObject({
        type: 'answered',
        by: {
          ...{ id: 'ada', name: 'Ada', role: 'manager', sessionId: 'session-7' },
          ...{ ...proof, authenticatedAt: '2030-01-01T00:00:00.000Z' },
        },
        rule,
      });
      expect(faultOf(recorded)).toBeUndefined();
      const seenByOthers = JSON.stringify([
        await chat().events(),
        await chat().view(),
        await chat().resume(),
      ]);
      expect(seenByOthers).not.toContain('session-7');
    },
  );

  it('ends with its head even if it is read while more is written', async () => {
    const real = sqliteStore({ path: ':memory:' });
    let meanwhile: (() => Promise<unknown>) | undefined;
    const store: FlowStore = {
      ...real,
      events: {
        ...real.events,
        read: async (...range) => {
          const act = meanwhile;
          meanwhile = undefined;
          await act?.();
          return real.events.read(...range);
        },
      },
    };
    const { record, say, answer } = audited([[pay()], [done]], { store });
    const approvalId = questionIn(await say('Pay.'));
    meanwhile = () => answer(approvalId, true);
    const early = await record();
    expect(typesOf(early)).toEqual(['asked']);
    expect(faultOf(early)).toBeUndefined();
    expect(faultOf(await record(), early.head)).toBeUndefined();
  });

  it('is empty, and has no head, without a key', async () => {
    const { chat, record } = audited([[pay()], [done]], { auditKey: undefined });
    await chat().say('Pay.');
    expect(await record()).toEqual({ entries: [], head: '', faults: [] });
  });

  it('refuses a key that could be guessed', () => {
    expect(() => audited([], { auditKey: 'too short' })).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: { path: 'auditKey' } }),
    );
  });
});

describe('a manipulated record', () => {
  type Entries = Recorded['entries'][number][];
  const change = (index: number, fields: object) => (entries: Entries) =>
    entries.map((entry, at) => (at === index ? { ...entry, ...fields } : entry));

  it.each<[string, (entries: Entries) => readonly SealedEntry[], number]>([
    ['a changed answer', change(1, { approved: false }), 1],
    ['a changed person', change(1, { by: { id: 'eve', name: 'Eve' } }), 1],
    ['changed arguments', change(0, { input: { to: 'eve', amount: 30 } }), 0],
    ['a changed time', change(3, { at: '2020-01-01T00:00:00.000Z' }), 3],
    ['an added fact', change(2, { note: 'trust me' }), 2],
    ['a changed seal', change(2, { seal: 'A'.repeat(43) }), 2],
    ['another chat’s name', change(4, { chatId: 'other' }), 4],
    ['a removed first entry', (entries) => entries.slice(1), 0],
    ['a removed entry in the middle', (entries) => entries.toSpliced(2, 1), 2],
    ['two swapped entries', (entries) => entries.toSpliced(1, 2, ...entries.slice(1, 3).toReversed()), 1],
    ['a repeated entry', (entries) => entries.toSpliced(2, 0, ...entries.slice(1, 2)), 2],
    [
      'an invented entry',
      (entries) => entries.toSpliced(2, 0, ...change(1, { approvalId: 'x' })(entries).slice(1, 2)),
      2,
    ],
    ['entries removed from the end', (entries) => entries.slice(0, -1), 6],
    ['all entries removed', () => [], 0],
  ])('is detected after %s', async (_name, tamper, index) => {
    const { recorded } = await twoTurns();
    expect(recorded.entries).toHaveLength(7);
    expect(faultOf(recorded)).toBeUndefined();
    expect(faultOf({ entries: tamper([...recorded.entries]), head: recorded.head })).toMatchObject({ index });
  });

  it('is detected with a noted head if its own head was moved along with the cut', async () => {
    const { recorded } = await twoTurns();
    const cut = recorded.entries.slice(0, 4);
    const forged = { entries: cut, head: cut.at(-1)?.seal ?? '' };
    expect(faultOf(forged)).toBeUndefined();
    expect(faultOf(forged, recorded.head)).toMatchObject({
      index: 4,
      message: expect.stringContaining('noted head'),
    });
    expect(faultOf({ entries: [], head: '' }, recorded.head)).toMatchObject({ index: 0 });
    expect(faultOf(recorded, cut.at(-1)?.seal)).toBeUndefined();
  });

  it('cannot be sealed again without the key', async () => {
    const { recorded } = await twoTurns();
    const fault = verifyAudit(recorded.entries, { key: 'another key of 16 or more', head: recorded.head });
    expect(fault).toMatchObject({ index: 0 });
  });
});

describe('a manipulated database', () => {
  /** The two turns in a database file, which is then changed behind the store's back. */
  async function inFile() {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-audit-'));
    const path = join(folder, 'store.db');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const world = audited([[pay(1)], [done], [pay(2)], [done]], { store: sqliteStore({ path }) });
    const { say, answer } = world.chat();
    await answer(questionIn(await say('Pay 1.')), true);
    await answer(questionIn(await say('Pay 2.')), false);
    const noted = await world.record();
    await world.flow.close();
    await world.store.close();
    const reopened = () => {
      const store = sqliteStore({ path });
      const opened = audited([], { store });
      onTestFinished(() => store.close());
      return opened.record();
    };
    const tamper = (sql: string) => {
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
    };
    return { noted, reopened, tamper, folder };
  }

  it('has an unchanged record before the manipulation', async () => {
    const { noted, reopened } = await inFile();
    const recorded = await reopened();
    expect(recorded).toEqual(noted);
    expect(faultOf(recorded, noted.head)).toBeUndefined();
  });

  it.each<[string, string, number]>([
    [
      'an answer was reversed',
      `update events set body = replace(body, '"approved":false', '"approved":true')`,
      5,
    ],
    ['another person answered', `update events set body = replace(body, '"Ada"', '"Eve"')`, 0],
    ['another amount was asked for', `update events set body = replace(body, '"amount":1', '"amount":9')`, 0],
    ['an output was replaced', `update events set body = replace(body, '"paid":1', '"paid":9')`, 3],
    ['times were changed', 'update events set at = at + 1', 0],
    ['an event is missing', `delete from events where body like '%tool-started%'`, 2],
    [
      'a seal is missing',
      `update events set body = json_remove(body, '$.seal') where body like '%tool-started%'`,
      2,
    ],
    ['the last events are missing', 'delete from events where seq > (select max(seq) - 6 from events)', 5],
    ['the head was moved', `update chats set audit_head = 'forged'`, 7],
  ])('is detected if %s', async (_name, sql, index) => {
    const { reopened, tamper } = await inFile();
    tamper(sql);
    expect(faultOf(await reopened())).toMatchObject({ index });
  });

  it('contains no key', async () => {
    const { folder } = await inFile();
    const files = readdirSync(folder);
    expect(files).toContain('store.db');
    for (const file of files) expect(readFileSync(join(folder, file)).includes(key)).toBe(false);
  });
});

describe('the record of an erased chat', () => {
  it('is not mistaken for that of a new chat with the same id', async () => {
    const { flow, record, id, say, answer } = audited([[pay()], [done], [pay()]]);
    await answer(questionIn(await say('Pay.')), true);
    const noted = await record();
    await flow.chats.erase({ principal: ada, chatId: id });
    await say('Pay.');
    const anew = await record();
    expect(faultOf(anew)).toBeUndefined();
    expect(faultOf(anew, noted.head)).toMatchObject({ index: 1 });
  });
});
