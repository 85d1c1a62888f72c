import { isTimedOut, type SuiteRun } from './suite-run.ts';
import type { SuiteRunner } from './suite-runner.ts';

/** How a suite runs with the unmodified product. */
export type UnchangedRun = {
  readonly isSound: boolean;
  /** Why it is not sound. */
  readonly isTimeout: boolean;
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
  async of(file: string, runner: SuiteRunner): Promise<UnchangedRun> {
    const known = this.#runs.get(file) ?? runUnchanged(file, runner);
    this.#runs.set(file, known);
    const run = await known;
    // A machine that was too busy may be less busy the next time.
    if (run.isTimeout) this.#runs.delete(file);
    return run;
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
  const isTimeout = !isSound && isTimedOut(run);
  return { isSound, isTimeout, tookMs: performance.now() - start, durations: run?.durations ?? {} };
}
