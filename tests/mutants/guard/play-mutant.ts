import type { PromiseMutant } from '../promise-mutant.ts';
import type { ImportGraph } from './import-graph.ts';
import type { SuiteRun } from './suite-run.ts';
import type { SuiteRunner } from './suite-runner.ts';
import type { UnchangedRuns } from './unchanged-runs.ts';

/** How long the suites of one mutant may run, without the runs that check the unmodified product. */
const limitMs = 60_000;

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
  runner: SuiteRunner,
  graph: ImportGraph,
  unchanged: UnchangedRuns,
): Promise<Verdict> {
  const related = graph.suitesOf(mutant.patches.map(({ file }) => file));
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
    const verdict = await judge(file, run, tookMs, await unchanged.of(file, runner));
    if (verdict) return verdict;
  }
  return { type: 'survived', suites: files.length, isComplete: true };
}

/** @returns `undefined` if the failure is no proof, because the suite also fails or takes long without the mutant */
function judge(
  by: string,
  run: SuiteRun | undefined,
  tookMs: number,
  unchanged: { readonly isSound: boolean; readonly tookMs: number },
): Verdict | undefined {
  if (!unchanged.isSound) return undefined;
  const isTimeout = !run?.failure || /timed out in \d+ ?ms/i.test(run.failure.why);
  if (isTimeout) return tookMs > 3 * unchanged.tookMs ? { type: 'hangs', by } : undefined;
  return run?.failure && { type: 'killed', by, ...run.failure };
}
