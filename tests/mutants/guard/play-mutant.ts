import { patchesOf } from '../../support/patches/patch.ts';
import type { PromiseMutant } from '../promise-mutant.ts';
import type { ImportGraph } from './import-graph.ts';
import { isTimedOut, type SuiteRun } from './suite-run.ts';
import type { SuiteRunner } from './suite-runner.ts';
import type { UnchangedRuns } from './unchanged-runs.ts';

export type Play = {
  readonly runner: SuiteRunner;
  readonly unchanged: UnchangedRuns;
  /** Without one, only the suites that mutants name are run. */
  readonly graph: ImportGraph | undefined;
  /** How long the suites of one mutant may run, without the runs that check the unmodified product. */
  readonly limitMs: number;
};

/** What became of one mutant. */
export type Verdict =
  | { readonly type: 'killed'; readonly by: string; readonly test: string; readonly why: string }
  /** A suite that passes without the mutant did not end with it. */
  | { readonly type: 'hangs'; readonly by: string }
  | { readonly type: 'survived'; readonly suites: number; readonly isComplete: boolean }
  /** Its files do not load: it is no plausible mistake. */
  | { readonly type: 'broken'; readonly why: string };

/** Runs the suites that a mutant names, then those that import its files, up to the first failure. */
export async function playMutant(
  mutant: PromiseMutant,
  { runner, graph, unchanged, limitMs }: Play,
): Promise<Verdict> {
  const related = graph?.suitesOf(patchesOf(mutant).map(({ file }) => file)) ?? [];
  const files = [...new Set([...mutant.suites, ...related])];
  let leftMs = limitMs;
  for (const [index, file] of files.entries()) {
    if (leftMs < 1_000) return { type: 'survived', suites: index, isComplete: false };
    const start = performance.now();
    const run = await runner.run({ file, mutant }, leftMs);
    const tookMs = performance.now() - start;
    leftMs -= tookMs;
    if (run?.passed === 0 && run.broken !== undefined)
      return { type: 'broken', why: `${file}: ${run.broken}` };
    if (run && !run.failure) continue;
    const verdict = await judge({ file, run, tookMs }, runner, unchanged);
    if (verdict) return verdict;
  }
  return { type: 'survived', suites: files.length, isComplete: true };
}

type FailedRun = { readonly file: string; readonly run: SuiteRun | undefined; readonly tookMs: number };

/** @returns `undefined` if the failure is no proof, because the suite also fails or takes long without the mutant */
async function judge(
  { file, run, tookMs }: FailedRun,
  runner: SuiteRunner,
  unchanged: UnchangedRuns,
): Promise<Verdict | undefined> {
  const failure = run?.failure;
  if (failure && !isTimedOut(run)) {
    const { isSound } = await unchanged.of(file, runner);
    return isSound ? { type: 'killed', by: file, ...failure } : undefined;
  }
  // The unmodified product runs while the machine is as busy as it is now.
  const now = await unchanged.again(file, runner);
  const withMutant = (failure && run.durations[failure.test]) ?? tookMs;
  const without = (failure && now.durations[failure.test]) ?? now.tookMs;
  return now.isSound && withMutant > 3 * without ? { type: 'hangs', by: file } : undefined;
}
