import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mapInParallel } from '../../lib/rights/map-in-parallel.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { checkMutant } from '../support/patches/patch.ts';
import { type TimingMutant, timingMutants } from './response-timing-mutants.ts';
import { runSuites, type SuiteRun, suites } from './run-suites.ts';

const runs = new Map<string, SuiteRun>();
const unchanged = 'the product as it is';
/** One mutant of each folder in `npm test`. */
const played = rowsOfThisRun(
  timingMutants,
  (mutant, index) => timingMutants.findIndex((other) => folderOf(other) === folderOf(mutant)) === index,
);
const stopped = new AbortController();

// A process for each; the limit is for a machine that does something else, too.
beforeAll(async () => {
  for (const mutant of timingMutants) checkMutant(mutant);
  const { signal } = stopped;
  const jobs = [
    async () => void runs.set(unchanged, await runSuites(suites, { signal })),
    ...played.map(({ name, suite, tests }) => async () => {
      runs.set(name, await runSuites([suite], { mutant: name, tests, signal }));
    }),
  ];
  await mapInParallel(jobs, Math.max(2, availableParallelism()), (job) => job());
}, 1_200_000);

afterAll(() => {
  stopped.abort();
  console.log(`Each rule that was broken, and the first test that fails:\n${played.map(row).join('\n')}`);
});

it('the suites pass with the unmodified product', () => {
  const run = runs.get(unchanged);
  expect(run).toMatchObject({ failures: [] });
  expect(run?.broken).toBeUndefined();
  expect(run?.passed).toBeGreaterThan(60);
});

it.each(played.map(({ name, rule }) => [rule, name] as const))('%s: a test fails for %s', (_rule, name) => {
  const run = runs.get(name);
  expect(run?.broken).toBeUndefined();
  expect(run?.failures).not.toEqual([]);
});

function folderOf({ patches: [patch] }: TimingMutant): string {
  return dirname(patch?.file ?? '');
}

function row({ name, rule, suite }: TimingMutant): string {
  const run = runs.get(name);
  const [first] = run?.failures ?? [];
  const told = first ? `${first.test}\n      ${first.why}` : run ? 'NO TEST FAILS' : 'NOT RUN';
  return `  ${rule.padEnd(7)}${name}\n    ${suite}: ${told}`;
}
