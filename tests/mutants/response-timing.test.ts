import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mapInParallel } from '../../lib/rights/map-in-parallel.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { checkMutant } from '../support/patches/patch.ts';
import { type TimingMutant, timingMutants } from './response-timing-mutants.ts';
import { runSuites, type Suite, type SuiteRun, suites } from './run-suites.ts';

const runs = new Map<string, SuiteRun>();
const unchanged = 'the unmodified product';
/** One mutant in `npm test`, which runs the suites with the unmodified product itself. */
const inMain: Suite = 'sse-use-chat';
const rows = rowsOfThisRun([unchanged, ...timingMutants], (row) => {
  return row === timingMutants.find(({ suite }) => suite === inMain);
});
const played = rows.filter((row) => typeof row === 'object');
const stopped = new AbortController();

// A process for each.
beforeAll(async () => {
  for (const mutant of timingMutants) checkMutant(mutant);
  const { signal } = stopped;
  await mapInParallel(rows, Math.max(2, availableParallelism()), async (row) => {
    if (typeof row === 'string') runs.set(row, await runSuites(suites, { signal }));
    else runs.set(row.name, await runSuites([row.suite], { mutant: row.name, tests: row.tests, signal }));
  });
});

afterAll(() => {
  stopped.abort();
  console.log(`Each rule that was broken, and the first test that fails:\n${played.map(row).join('\n')}`);
});

it.each(rows.filter((row) => typeof row === 'string'))('the suites pass with %s', (row) => {
  const run = runs.get(row);
  expect(run).toMatchObject({ failures: [] });
  expect(run?.broken).toBeUndefined();
  expect(run?.passed).toBeGreaterThan(60);
});

it.each(played.map(({ name, rule }) => [rule, name] as const))('%s: a test fails for %s', (_rule, name) => {
  const run = runs.get(name);
  expect(run?.broken).toBeUndefined();
  expect(run?.failures).not.toEqual([]);
});

function row({ name, rule, suite }: TimingMutant): string {
  const run = runs.get(name);
  const [first] = run?.failures ?? [];
  const told = first ? `${first.test}\n      ${first.why}` : run ? 'NO TEST FAILS' : 'NOT RUN';
  return `  ${rule.padEnd(7)}${name}\n    ${suite}: ${told}`;
}
