import type { PromiseMutant } from '../promise-mutant.ts';
import { timingMutants } from '../response-timing-mutants.ts';
import { suiteFiles } from '../run-suites.ts';

/** The mutants of response timing, which the project `mutants` also plays in part. */
export const timingPromiseMutants: readonly PromiseMutant[] = timingMutants.map(
  ({ name, patches, rule, suite }) => ({ name, patches, promise: rule, suites: [suiteFiles[suite]] }),
);
