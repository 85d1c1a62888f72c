import type { Areas } from '../guard/choose.ts';
import type { PromiseMutant } from '../promise-mutant.ts';
import { timingPromiseMutants } from './timing.ts';

/** All mutants of the guard, by area. */
export const areas: Areas = {
  timing: timingPromiseMutants,
};

/** All mutants of the guard. */
export const promiseMutants: readonly PromiseMutant[] = Object.values(areas).flat();
