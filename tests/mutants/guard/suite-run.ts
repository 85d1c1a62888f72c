import type { Mutant } from '../../support/patches/patch.ts';

/** What a worker is asked to run: one test file, with a mutant or without one, up to its first failure. */
export type SuiteRequest = {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly mutant?: Mutant;
};

/** How one test file went. */
export type SuiteRun = {
  readonly passed: number;
  /** The first test that failed, by its whole name, and the first line of why. */
  readonly failure?: { readonly test: string; readonly why: string };
  /** How long each test took, in milliseconds, by its whole name. */
  readonly durations: Readonly<Record<string, number>>;
  /** Why the file could not be loaded. No test ran. */
  readonly broken?: string;
};

/** Whether a run failed by a time limit: its own, or that of a test. */
export function isTimedOut(run: SuiteRun | undefined): boolean {
  return run === undefined || /timed out in \d+ ?ms/i.test(run.failure?.why ?? '');
}
