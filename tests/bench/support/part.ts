import type { Results } from './results.ts';
import type { Sizes } from './sizes.ts';

/** What a measure of one run is given. */
export type RunSizes = Sizes & { readonly connectionString: string };

/** One measure: its name for `only=`, and what it does. It prints its tables itself. */
export type Part = {
  readonly name: string;
  /** Whether it runs only when `only=` names it, or for a run that is published. */
  readonly isOnRequest?: boolean;
  readonly measure: (results: Results, sizes: RunSizes) => Promise<void>;
};
