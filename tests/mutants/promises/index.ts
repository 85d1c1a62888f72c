import type { PromiseMutant } from '../promise-mutant.ts';
import { timingPromiseMutants } from './timing.ts';

/** All mutants of the guard. */
export const promiseMutants: readonly PromiseMutant[] = [...timingPromiseMutants];
