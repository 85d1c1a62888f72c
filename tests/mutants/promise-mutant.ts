import type { Mutant } from '../support/patches/patch.ts';

/** A one-place change of `lib/` that breaks a promise of the documentation. */
export type PromiseMutant = Mutant & {
  /** A requirement id, a clause of a decision record (`0009.2`), or the sentence that it breaks. */
  readonly promise: string;
  /** The test files that should fail, the most likely first, relative to the repository's root. */
  readonly suites: readonly string[];
};
