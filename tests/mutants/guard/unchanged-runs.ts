import type { SuiteRun } from './suite-run.ts';
import type { SuiteRunner } from './suite-runner.ts';

/** How a suite runs with the unmodified product. */
export type UnchangedRun = {
  readonly isSound: boolean;
  readonly tookMs: number;
  readonly durations: SuiteRun['durations'];
};

/** A suite that failed for longer than this without a mutant kills none. */
const limitMs = 180_000;

/** Runs each suite once with the unmodified product, when it first fails with a mutant. */
export class UnchangedRuns {
  readonly #runs = new Map<string, Promise<UnchangedRun>>();

  /** Runs a file once more, to compare times while the machine is as busy as it is now. */
  again(file: string, runner: SuiteRunner): Promise<UnchangedRun> {
    this.#runs.delete(file);
    return this.of(file, runner);
  }

  /** The run of one file, in the given runner unless another has begun it. */
  of(file: string, runner: SuiteRunner): Promise<UnchangedRun> {
    const known = this.#runs.get(file) ?? runUnchanged(file, runner);
    this.#runs.set(file, known);
    return known;
  }
}

async function runUnchanged(file: string, runner: SuiteRunner): Promise<UnchangedRun> {
  const start = performance.now();
  const run = await runner.run({ file }, limitMs);
  const isSound = run !== undefined && run.passed > 0 && !run.failure;
  if (!isSound) {
    const { test, why } = run?.failure ?? { test: 'it', why: run?.broken ?? 'does not end' };
    console.log(`UNSOUND   ${file} fails without a mutant and kills none: ${test}: ${why}`);
  }
  return { isSound, tookMs: performance.now() - start, durations: run?.durations ?? {} };
}
