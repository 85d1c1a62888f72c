import { DatabaseSync, StatementSync } from 'node:sqlite';
import { createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { expect, onTestFinished, vi } from 'vitest';
import type { RecordStore } from '../../lib/log/store/index.ts';
import { readDays } from '../../lib/plugins/insights/count-questions.ts';
import { csvText } from '../../lib/plugins/insights/csv.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { batch, question, text } from '../contract/store-batches.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import { flowFixture } from '../support/flow-fixture.ts';
import {
  countingFlow,
  day,
  hour,
  mayOperate,
  minute,
  monday,
  told,
  write,
} from '../support/settled-questions.ts';

const { clause } = adr('0052-insights.md');

clause('0052.1', async () => {
  const { report } = await countingFlow([
    { risk: 'high', after: 2_000 },
    { risk: 'high', after: hour, by: 'carla', at: monday + 9 * hour },
    { toolName: 'mail', after: minute, state: 'denied' },
    { toolName: 'mail', state: 'expired' },
    { toolName: 'mail', state: 'open' },
  ]);
  const { all, tools, risks, approvers, hours } = await report();
  expect(all).toMatchObject({ settled: 4, approved: 2, quick: 1, denied: 1, expired: 1 });
  expect(tools.map(({ toolName, settled }) => [toolName, settled])).toEqual([
    ['mail', 2],
    ['pay', 2],
  ]);
  expect(risks.map(({ risk, settled }) => [risk, settled])).toEqual([
    ['high', 2],
    [undefined, 2],
  ]);
  expect(approvers.map(({ approver, settled }) => [approver?.id, settled])).toEqual([
    ['ben', 2],
    ['carla', 1],
  ]);
  expect([hours[0]?.settled, hours[9]?.settled]).toEqual([3, 1]);
  expect(Math.abs((hours[9]?.waitMs?.median ?? 0) - hour)).toBeLessThan(hour * 0.05);
});

clause('0052.2', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const { report, flow } = await countingFlow(Array(300).fill({ after: 1 }), { store });
  const others = [1, 2, 3].map(() => {
    const other = createApprovalFlow({ store, model: scriptedModel([]), mayOperate });
    onTestFinished(() => other.close());
    return other;
  });
  await Promise.all([report(), ...[flow, ...others].map((each) => each.recover())]);
  expect((await report()).all.settled).toBe(300);
  await store.close();

  // The rejected order, by a process that dies between the two writes.
  const base = sqliteStore({ path: ':memory:' });
  let crashes = 1;
  const write: RecordStore['write'] = async (records) => {
    await base.records.write(records.filter(({ kind }) => kind === 'day'));
    if (crashes-- > 0) throw new Error('The process died.');
    return base.records.write(records.filter(({ kind }) => kind !== 'day'));
  };
  const rejected = await countingFlow([{ after: 1 }], {
    store: { ...base, records: { ...base.records, write } },
  });
  await expect(rejected.report()).rejects.toThrow('died');
  expect((await rejected.report()).all.settled).toBe(2);
});

clause('0052.3', async () => {
  const { store } = administeredSqlite();
  const { flow } = await countingFlow([{ after: 1 }], { store });
  await flow.recover();
  const run = vi.spyOn(StatementSync.prototype, 'run');
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec');
  const writesOfSweep = async (swept: Pick<typeof flow, 'recover'>) => {
    executed.mockClear();
    run.mockClear();
    await swept.recover();
    return [executed.mock.calls.length, run.mock.calls.length];
  };
  const plain = flowFixture([]);
  onTestFinished(() => plain.flow.close());
  await plain.flow.recover();
  expect(await writesOfSweep(flow)).toEqual(await writesOfSweep(plain.flow));
  run.mockClear();
  await store.append(
    batch(parseChatId('new'), 0, [text()], {
      questions: [question('new', { chatId: parseChatId('new'), state: 'denied' })],
    }),
  );
  // The event and the question. The head is moved by a statement that returns a row.
  expect(run).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});

clause('0052.4', async () => {
  // Most answers of the first day are fast, and most of the second are slow.
  const waits = [
    ...Array.from({ length: 190 }, (_, index) => ({ at: monday - day, after: 1_000 + index })),
    ...Array.from({ length: 10 }, (_, index) => ({ at: monday, after: 5 * hour + index * minute })),
  ];
  const { report } = await countingFlow(waits);
  const exact = waits.map(({ after }) => after).toSorted((one, other) => one - other);
  const { median = 0, p95 = 0 } = (await report()).all.waitMs ?? {};
  const near = (found: number, rank: number) =>
    Math.abs(found - (exact[rank - 1] ?? 0)) <= 0.05 * (exact[rank - 1] ?? 0);
  expect([near(median, 100), near(p95, 190)]).toEqual([true, true]);
  const daily = await Promise.all(
    [monday - day, monday].map(
      async (since) => (await report({ since, until: since + day })).all.waitMs?.p95 ?? 0,
    ),
  );
  expect(near(daily.reduce((sum, value) => sum + value, 0) / 2, 190)).toBe(false);
});

clause('0052.5', async () => {
  const { store: before, another } = administeredSqlite();
  await write(before, [told('old', { after: 1 }), told('older', { at: monday - 9 * day, state: 'expired' })]);
  const { report } = await countingFlow([{ after: 1 }], { store: another() });
  expect((await report()).all).toMatchObject({ settled: 3, approved: 2, expired: 1 });
});

clause('0052.6', async () => {
  const { store } = administeredSqlite();
  const secret = { input: { iban: 'DE02 1203' }, description: 'Pay DE02 1203' };
  const { report, flow } = await countingFlow([{ after: 1, ...secret }, { after: 2_000 }], { store });
  await flow.chats.erase({ chatId: parseChatId('chat-q0'), principal: { id: 'ana', name: 'Ana' } });
  const after = await report();
  expect(after.all.settled).toBe(2);
  expect(await store.chats.head(parseChatId('chat-q0'))).toBeUndefined();
  const days = await readDays(store, [monday / day]);
  expect(days).toHaveLength(1);
  expect(JSON.stringify(days)).not.toMatch(/1203|chat-q|q0|Alice/);
});

clause('0052.7', async () => {
  const { report } = await countingFlow([
    { at: Date.UTC(2026, 2, 29, 0, 45), after: 1 },
    { at: Date.UTC(2026, 2, 29, 1, 0), after: 1 },
  ]);
  const hoursIn = async (timeZone: string) =>
    (await report({ timeZone, days: 90 })).hours.flatMap(({ hour: at, settled }) => Array(settled).fill(at));
  expect(await hoursIn('UTC')).toEqual([0, 1]);
  expect(await hoursIn('Europe/Berlin')).toEqual([1, 3]);
  expect(await hoursIn('Asia/Kathmandu')).toEqual([6, 6]);
  expect(await hoursIn('Asia/Kolkata')).toEqual([6, 6]);
});

clause('0052.8', async () => {
  const { flow } = await countingFlow([{ after: 1 }]);
  const eve = { id: 'eve', name: 'Eve' };
  await expect(flow.insights.read({ principal: eve })).rejects.toMatchObject({ code: 'not-found' });
  await expect(countingFlow([], { mayOperate: undefined })).rejects.toMatchObject({
    code: 'invalid-settings',
  });
});

clause('0052.9', async () => {
  const names = Array.from({ length: 130 }, (_, index) => `person-${index}`);
  const { report, store } = await countingFlow([
    ...names.map((by) => ({ by, after: 1, toolName: `tool-${by}` })),
    ...names.map((by) => ({ by, after: 1, toolName: '__proto__' })),
  ]);
  const { all, approvers, tools } = await report();
  const sum = (items: readonly { settled: number }[]) =>
    items.reduce((total, { settled }) => total + settled, 0);
  expect([all.settled, sum(approvers), sum(tools)]).toEqual([260, 260, 260]);
  expect([approvers.length, approvers.at(-1)?.approver]).toEqual([51, undefined]);
  const [stored] = await readDays(store, [monday / day]);
  const people = stored?.[1].approver ?? [];
  expect(people).toHaveLength(101);
  expect(people.find(([key]) => key === '')).toEqual([
    '',
    [
      [60, 60, 0, 0, 0, 0],
      [1, 60],
    ],
  ]);
});

clause('0052.10', () => {
  const texts: readonly (readonly [cell: string, written: string])[] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['＝1', "'＝1"],
    ['－1', "'－1"],
    ['\u200b =1', "'\u200b =1"],
    ['"=1', `"'""=1"`],
    ['\tx', `"'\tx"`],
    ['\r=1', `"'\r'=1"`],
    // A program whose separator is the semicolon or the tab does not see the quotes.
    ['x;=1', `"x;'=1"`],
    ['x;;@a;\t+1', `"x;;'@a;\t'+1"`],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['plain', 'plain'],
    ['', ''],
    ['a=b', 'a=b'],
    ['a-b; c', '"a-b; c"'],
  ];
  const [cells, written] = [texts.map(([cell]) => cell), texts.map(([, text]) => text)];
  expect(csvText([cells, [-1, undefined, 2]])).toBe(`${written.join(',')}\r\n-1,,2\r\n`);
});
