import { createApprovalFlow } from 'countersign';
import { insights } from 'countersign/plugins/insights';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { insightsSchema } from '../../../lib/plugins/insights/endpoints.ts';
import type { Principal } from '../../../lib/protocol/index.ts';
import { serveFlow } from '../../../lib/testing/server/serve-flow.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';
import {
  countingFlow,
  day,
  hour,
  mayOperate,
  minute,
  monday,
  olga,
  told,
  write,
} from '../../support/settled-questions.ts';
import { batch, text } from '../store-batches.ts';

const second = 1_000;

describe('a report on answers [ADR 0052]', () => {
  it('groups outcomes and waiting times by tool, risk, person and hour [0052.1]', async () => {
    const { report } = await countingFlow([
      { toolName: 'pay', title: 'Payment', risk: 'high', after: 2 * second },
      { toolName: 'pay', title: 'Payment', risk: 'high', after: 10 * minute, by: 'carla' },
      { toolName: 'pay', risk: 'high', after: 5 * second, answer: { input: { amount: 1 } } as never },
      { toolName: 'mail', risk: 'low', after: hour, state: 'denied', at: monday + 9 * hour },
      { toolName: 'mail', state: 'expired' },
      { toolName: 'mail', state: 'superseded' },
      { toolName: 'mail', state: 'cancelled' },
      { toolName: 'mail', state: 'open' },
    ]);
    const { all, tools, risks, approvers, hours, ...period } = await report();
    expect(period).toEqual({ since: monday - 28 * day, until: monday + 2 * day, timeZone: 'UTC' });
    const none = { approved: 0, quick: 0, edited: 0, denied: 0, expired: 0, withdrawn: 0 };
    expect(all).toMatchObject({
      settled: 7,
      approved: 3,
      quick: 1,
      edited: 1,
      denied: 1,
      expired: 1,
      withdrawn: 2,
    });
    expect(tools).toMatchObject([
      { toolName: 'mail', settled: 4, ...none, denied: 1, expired: 1, withdrawn: 2 },
      { toolName: 'pay', title: 'Payment', settled: 3, ...none, approved: 3, quick: 1, edited: 1 },
    ]);
    expect(risks.map(({ risk, settled }) => [risk, settled])).toEqual([
      ['high', 3],
      ['low', 1],
      [undefined, 3],
    ]);
    expect(approvers).toMatchObject([
      { approver: { id: 'ben', name: 'BEN' }, settled: 3 },
      { approver: { id: 'carla', name: 'CARLA' }, settled: 1 },
    ]);
    expect(hours.map(({ settled }) => settled)).toEqual([6, ...Array(8).fill(0), 1, ...Array(14).fill(0)]);
    const within = (found = 0, exact: number) => expect(Math.abs(found - exact)).toBeLessThan(exact * 0.05);
    within(tools[1]?.waitMs?.median, 5 * second);
    within(tools[1]?.waitMs?.p95, 10 * minute);
    within(hours[9]?.waitMs?.median, hour);
    expect(risks[2]).not.toHaveProperty('waitMs');
  });

  it('counts an approval as quick up to three seconds', async () => {
    const { report } = await countingFlow([
      { after: 3_000 },
      { after: 3_001 },
      { after: 1, state: 'denied' },
    ]);
    expect((await report()).all).toMatchObject({ approved: 2, quick: 1, denied: 1 });
  });

  it('does not count what a running call asked for as edited', async () => {
    const waitsIn = { owner: 'here', instance: 'here' };
    const { report } = await countingFlow([{ after: 1, waitsIn, answer: { input: { size: 3 } } as never }]);
    expect((await report()).all).toMatchObject({ approved: 1, edited: 0 });
  });

  it('counts the answers of a real chat, with the current id of the person', async () => {
    const steps = [{ call: 'pay', input: { to: 'alice', amount: 1 } }];
    const { flow, store, say, answer } = flowFixture(() => steps, { mayOperate });
    onTestFinished(() => flow.close());
    await answer(questionIn(await say('Pay.')), false);
    const renamed = createApprovalFlow({
      store,
      model: scriptedModel([]),
      mayOperate,
      formerIds: { ada: 'ada@example.com' },
      plugins: [insights()],
    });
    onTestFinished(() => renamed.close());
    expect(await renamed.insights.read({ principal: olga })).toMatchObject({
      all: { denied: 1, settled: 1 },
      approvers: [{ approver: { id: 'ada@example.com', name: 'Ada' }, denied: 1 }],
    });
  });

  it('covers whole days, from that of `since` through that of `until`', async () => {
    const { report } = await countingFlow(
      [0, 1, 2, 3].map((count) => ({ at: monday - count * day, after: 1 })),
    );
    const settled = async (since?: number, until?: number, days?: number) =>
      (await report({ since, until, days })).all.settled;
    expect(await settled(monday)).toBe(1);
    expect(await settled(monday - 1)).toBe(2);
    expect(await settled(monday - 3 * day, monday - 2 * day)).toBe(1);
    expect(await settled(monday - 3 * day, monday - 2 * day + 1)).toBe(2);
    expect(await settled(undefined, undefined, 2)).toBe(1);
    expect(await settled(0, monday + 900 * day)).toBe(4);
    expect(await settled(0, 0)).toBe(0);
  });

  it('keeps the counts of 400 days', async () => {
    const { report, clock, flow } = await countingFlow([{ after: 1 }, { at: monday - 399 * day, after: 1 }]);
    expect((await report({ since: 0 })).all.settled).toBe(1);
    clock.advance(399 * day);
    await flow.recover();
    expect((await report({ since: 0 })).all.settled).toBe(0);
  });

  it('deletes older counts with the next ones', async () => {
    const { report, clock, store } = await countingFlow([{ after: 1 }]);
    const kept = () => store.records.read({ plugin: 'insights', kind: 'day' }, [String(monday / day)]);
    await report();
    expect(await kept()).toHaveLength(1);
    clock.advance(399 * day);
    await write(store, [told('late', { at: monday + 400 * day, after: 1 })]);
    await report();
    expect(await kept()).toEqual([]);
  });

  it.each([
    ['a `since` after `until`', { since: 2, until: 1 }],
    ['a time that is no number', { since: Number.NaN }],
    ['no whole number of days', { days: 1.5 }],
    ['no day', { days: 0 }],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }],
  ])('refuses %s', async (_, query) => {
    const { report } = await countingFlow([]);
    await expect(report(query)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('counts in sweeps, a limited number in each', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const reads: number[] = [];
    const feed: typeof store.questions.feed = async (after, limit) => {
      reads.push(after);
      return store.questions.feed(after, limit);
    };
    const { flow } = await countingFlow(Array(450).fill({ after: 1 }), {
      store: { ...store, questions: { ...store.questions, feed } },
    });
    await flow.recover();
    expect(reads).toEqual([0, 200, 400]);
    expect(await store.records.read({ plugin: 'insights', kind: 'place' }, ['counted'])).toMatchObject([
      { value: '450' },
    ]);
  });
});

describe('GET /api/operations/insights [ADR 0052]', () => {
  async function serve(principal: Principal = olga) {
    const { flow, store } = await countingFlow([
      { toolName: 'pay', title: "=cmd|' /C calc'!A0", risk: 'high', after: 2_000, by: '@sum' },
      { toolName: 'a,"b"\n', after: 9_000, by: '+49', at: monday + 22.5 * hour },
    ]);
    const { url, close } = await serveFlow(flow, { authorize: () => principal });
    onTestFinished(close);
    const read = (query: Record<string, string> = {}, path = 'insights') =>
      fetch(`${url}/api/operations/${path}?${new URLSearchParams(query)}`);
    return { read, flow, store };
  }

  it('reports as the schema says, with times as ISO 8601', async () => {
    const { read } = await serve();
    const response = await read({ since: '7d', timeZone: 'Europe/Berlin' });
    const body: unknown = await response.json();
    expect(insightsSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      ...{ since: '2026-05-27T00:00:00.000Z', until: '2026-06-03T00:00:00.000Z', timeZone: 'Europe/Berlin' },
      all: { settled: 2, approved: 2, quick: 1 },
    });
    expect(
      (body as { hours: { settled: number }[] }).hours.flatMap(({ settled }, at) => (settled ? [at] : [])),
    ).toEqual([0, 2]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it.each<[query: Record<string, string>, settled: number]>([
    [{ since: '2026-06-01T00:00:00Z' }, 2],
    [{ since: '2026-05-01T00:00:00Z', until: '2026-06-01T00:00:00Z' }, 0],
    [{ since: '1d' }, 0],
    [{ since: '999d' }, 2],
  ])('accepts the period %j', async (query, settled) => {
    const { read } = await serve();
    expect(await (await read(query)).json()).toMatchObject({ all: { settled } });
  });

  it.each<Record<string, string>>([
    { since: '30' },
    { since: '0d' },
    { since: '-1d' },
    { since: '1000d' },
    { since: '1e2d' },
    { since: 'yesterday' },
    { since: '' },
    { since: '2026-06-02T00:00:00Z', until: '2026-06-01T00:00:00Z' },
    { until: '30d' },
    { timeZone: 'Mars/Olympus' },
    { timeZone: '' },
    { timeZone: 'E'.repeat(10_000) },
    { timeZone: '../../etc/passwd' },
    { timeZone: '__proto__' },
  ])('refuses %j', async (query) => {
    const { read } = await serve();
    for (const path of ['insights', 'insights.csv']) {
      const response = await read(query, path);
      expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
    }
  });

  it('returns 404 to people who may not operate the flow, whatever they ask for [0052.8]', async () => {
    const { read } = await serve({ id: 'eve', name: 'Eve' });
    for (const path of ['insights', 'insights.csv']) {
      for (const query of [{}, { timeZone: 'Mars/Olympus' }]) {
        const response = await read(query as Record<string, string>, path);
        expect(response.status).toBe(404);
        expect(await response.text()).not.toContain('zone');
      }
    }
  });

  it('exports a table without formulas [0052.10]', async () => {
    const { read } = await serve();
    const response = await read({ since: '7d' }, 'insights.csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="insights-2026-05-27-2026-06-02.csv"',
    );
    const text = await response.text();
    expect(text.split('\r\n').slice(0, 9)).toEqual([
      'group,key,name,settled,approved,quick,edited,denied,expired,withdrawn,median_wait_ms,p95_wait_ms',
      expect.stringMatching(/^all,,,2,2,1,0,0,0,0,\d+,\d+$/),
      expect.stringMatching(/^tool,"a,""b""\n",,1,1,0,/),
      expect.stringMatching(/^tool,pay,'=cmd\|' \/C calc'!A0,1,1,1,0,/),
      expect.stringMatching(/^risk,high,,1,/),
      expect.stringMatching(/^risk,,,1,/),
      expect.stringMatching(/^approver,'\+49,'\+49,1,/),
      expect.stringMatching(/^approver,'@sum,'@SUM,1,/),
      expect.stringMatching(/^hour,0,,1,/),
    ]);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.split('\r\n')).toHaveLength(8 + 24 + 1);
  });
});

it.each([
  ['after it was counted', 1],
  ['before it is counted, among others', 450],
])('counts a question once if its outcome becomes known %s [0052.2]', async (_, others) => {
  const store = sqliteStore({ path: ':memory:' });
  const { report } = await countingFlow(Array(others).fill({ after: 1 }), { store });
  if (others === 1) expect((await report()).all.settled).toBe(1);
  // The row of a settled question is written again, at a new place.
  const again = told('q0', { after: 1 });
  await store.append(batch(again.chatId, 1, [text()], { questions: [again], head: { ownerId: 'ana' } }));
  expect((await report()).all.settled).toBe(others);
  expect((await report()).all.settled).toBe(others);
});

it('counts a question that is settled while its chat is being erased [0052.6]', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const owner = { id: 'ana', name: 'Ana' };
  let isFirst = true;
  const erase: typeof store.chats.erase = async (chatId, ...more) => {
    const head = await store.chats.head(chatId);
    if (isFirst && head) {
      isFirst = false;
      const late = { ...told('late', { after: 1 }), chatId };
      await store.append(batch(chatId, head.seq, [text()], { questions: [late], head: { status: 'idle' } }));
    }
    return store.chats.erase(chatId, ...more);
  };
  const { flow, report } = await countingFlow([{ after: 1 }], {
    store: { ...store, chats: { ...store.chats, erase } },
  });
  const { chatId } = told('q0', {});
  await flow.chats.erase({ chatId, principal: owner });
  expect(await store.chats.head(chatId)).toBeUndefined();
  expect((await report()).all.settled).toBe(2);
});
