import { describe, expect, it, onTestFinished } from 'vitest';
import { misbehaviours } from '../../lib/testing/backends/misbehaviours.ts';
import { startBackend } from '../../lib/testing/backends/start-backend.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { perTurn } from '../support/per-turn.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { databaseTools, workedExample } from '../support/worked-example.ts';
import { confirming, withoutConfirmedInput, withoutMarks } from './check/foreign-frames.ts';
import { reportOf, rulesWith, unsound } from './check/run-check.ts';
import { serveChanged } from './check/serve-changed.ts';

const socketOf = (url: string) => `${url.replace('http:', 'ws:')}/api/chat/socket`;

describe('countersign check and the kit’s backends', () => {
  it.each(rowsOfThisRun(misbehaviours, (_, index) => index % 3 === 0))(
    '$name fails only $rule, on both wires',
    async (misbehaviour) => {
      const backend = await startBackend(misbehaviour);
      onTestFinished(() => backend.close());
      const report = await reportOf([backend.api, '--bidi', backend.socket, '--prompt', 'Pay.']);
      expect(rulesWith(report, 'fail', 'SSE')).toEqual([misbehaviour.rule]);
      expect(rulesWith(report, 'fail', 'BIDI')).toEqual([misbehaviour.rule]);
      expect(report.code).toBe(1);
    },
  );

  it('passes a correct backend on both wires', async () => {
    const backend = await startBackend();
    onTestFinished(() => backend.close());
    const report = await reportOf([backend.api, '--bidi', backend.socket, '--prompt', 'Pay.']);
    expect(unsound(report)).toEqual([]);
    expect(report).toMatchObject({ code: 0, complete: true });
  });
});

describe('countersign check and correct backends of other kinds', () => {
  it('reports only as a difference that responses have no `start` and no `finish`: the SDK needs neither', async () => {
    const api = await serveChanged({ reply: withoutMarks, resumed: withoutMarks });
    const report = await reportOf([api, '--prompt', 'Pay.']);
    expect(rulesWith(report, 'fail')).toEqual([]);
    expect(rulesWith(report, 'differs')).toEqual(['T1', 'T4']);
    expect(report.code).toBe(0);
  });

  it.each(['named', 'unnamed'] as const)(
    'knows confirmation calls as the predicates do, also if the call that they guard is %s',
    async (how) => {
      const reply = confirming(how);
      const api = await serveChanged({ reply, resumed: confirming(how), post: withoutConfirmedInput });
      const report = await reportOf([api, '--prompt', 'Pay.']);
      expect(unsound(report)).toEqual([]);
      expect(rulesWith(report, 'pass')).toEqual(expect.arrayContaining(['T1', 'T3', 'T7', 'T8']));
      expect(report.code).toBe(0);
    },
  );
});

describe('countersign check and flows of this library', () => {
  it.each(['final', 'progressive'] as const)(
    'passes chained calls on both wires with release %s',
    async (release) => {
      const { tools, effects } = databaseTools();
      const { api, url } = await serveFixture(perTurn(workedExample), { tools, release });
      const args = ['--bidi', socketOf(url), '--prompt', 'Search and update database', '--release', release];
      const report = await reportOf([api, ...args]);
      expect(unsound(report)).toEqual([]);
      expect(report.code).toBe(0);
      expect(rulesWith(report, 'pass')).toContain(release === 'final' ? 'T3' : 'T11');
      expect(effects.length).toBeGreaterThan(0);
    },
  );

  it('reports differences from T1-T3 for a backend that is progressive without declaring it', async () => {
    const { tools } = databaseTools();
    const { api } = await serveFixture(perTurn(workedExample), { tools, release: 'progressive' });
    const report = await reportOf([api, '--prompt', 'Search and update database']);
    expect(rulesWith(report, 'fail')).toEqual(['T3', 'T1', 'T2']);
  });

  it('reports rules that it could not check, and never as passed', async () => {
    const script = perTurn([[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Done.' }]]);
    const { api } = await serveFixture(script);
    const report = await reportOf([api, '--prompt', 'Pay.']);
    expect(unsound(report)).toEqual([]);
    expect(rulesWith(report, 'not-observed')).toEqual(['T2', 'T9', 'T10', 'T11', 'T13', 'T14', 'T16']);
  });
});
