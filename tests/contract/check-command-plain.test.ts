import { describe, expect, it } from 'vitest';
import { servePlainRoute } from './check/plain-route.ts';
import { reportOf, rulesWith, runCheck } from './check/run-check.ts';

describe('countersign check and a plain streamText route', () => {
  it('reports which rules the route breaks, where it only differs, and which rules it keeps', async () => {
    const { api, ran } = await servePlainRoute();
    const report = await reportOf([api]);
    expect(rulesWith(report, 'fail')).toEqual(['T12', 'T3', 'T1', 'T2']);
    expect(rulesWith(report, 'differs')).toEqual(['T4', 'T5', 'H1', 'H2']);
    expect(rulesWith(report, 'pass')).toEqual(['T6', 'T7', 'T8', 'T10', 'T15', 'H1']);
    expect(rulesWith(report, 'not-observed')).toEqual(['T9', 'T11', 'T13', 'T14', 'T16']);
    expect(report).toMatchObject({ code: 1, complete: true });
    expect(ran).toContain('paid Alice-changed 307');
  });

  it('ranks what may run unapproved or twice above what gets lost, and that above style', async () => {
    const { findings, ranks } = await plainReport();
    const failed = findings.filter(({ status }) => status === 'fail');
    expect(failed.map(({ rule, rank }) => `${rank} ${rule}`)).toEqual([
      'unsafe T12',
      'unsafe T12',
      'unsafe T12',
      'unsafe T12',
      'lost T3',
      'style T1',
      'style T2',
    ]);
    expect(ranks).toEqual({ unsafe: 4, lost: 1, style: 2 });
    expect(findings.slice(failed.length).filter(({ rank }) => rank !== undefined)).toEqual([]);
  });

  it('passes T4 if the route names its messages, and reports the rest as before', async () => {
    const { api } = await servePlainRoute({ namesMessages: true });
    const report = await reportOf([api]);
    expect(rulesWith(report, 'fail')).toEqual(['T12', 'T3', 'T1', 'T2']);
    expect(rulesWith(report, 'differs')).toEqual(['T5', 'H1', 'H2']);
  });

  it.each([
    ['T1', 'a second question, about call'],
    ['T1', 'text-delta is not withheld until the last answer'],
    ['T2', 'the outcome of call'],
    ['T3', 'text-start comes after an outcome; text comes first'],
    ['T4', 'no start chunk with a messageId'],
    ['T5', 'a part comes before the first start-step'],
    ['T12', 'the call ran again'],
    ['T12', 'the call ran'],
    ['T12', 'the changed arguments ran'],
    ['H1', 'status 500'],
  ])('shows for %s that %s', async (rule, message) => {
    const { findings } = await plainReport();
    const seen = findings.filter((finding) => finding.rule === rule).flatMap(({ evidence }) => evidence);
    expect(seen.map((evidence) => evidence.message)).toContainEqual(expect.stringContaining(message));
  });

  it('prints the rule, the position and the chunks for people', async () => {
    const { api } = await servePlainRoute();
    const { code, printed } = await runCheck([api]);
    const text = printed.join('\n');
    expect(code).toBe(1);
    expect(text).toMatch(/^SSE {2}http:/);
    expect(text).toMatch(/FAIL unsafe {3}T12 {2}an answer sent twice runs nothing more/);
    expect(text).toMatch(/FAIL style {4}T1 {3}a first response with a question contains only that question/);
    expect(text).toMatch(
      /"Pay Alice 30 and Bob 40", all approved, response 1: .*\n.*"delta":"I pay them both\."/,
    );
    expect(text).toMatch(/a second question, about call \S+, is asked at the same time\n/);
    expect(text).toMatch(/^ +and \d+ more like it$/m);
    expect(text).toMatch(/differs {7}H2 {3}.*\n.*no resume: it was refused \(404\)/);
    expect(text).toMatch(/^Failures: 4 unsafe, 1 lost, 2 style$/m);
    expect(text).toMatch(/\d+ pass, 7 fail, \d+ differs, \d+ not observed \(\d+ requests, [\d.]+ s\)$/);
  });
});

let report: ReturnType<typeof reportOf> | undefined;

/** One run for all that is read from it. */
function plainReport(): ReturnType<typeof reportOf> {
  report ??= servePlainRoute().then(({ api }) => reportOf([api]));
  return report;
}
