import type { Mutant, SourcePatch } from '../../support/patches/patch.ts';

/** A bug in the product: one condition of a rule, changed. The invariants and the search do not know which one is planted. */
export type Plant = Mutant & {
  /** The rule that it breaks: an item of one of the decision records. */
  readonly rule: string;
};

/** One text of one file, and what stands in its place. */
export function patch(file: string, find: string, replace: string): SourcePatch {
  return { file: `lib/${file}`, find, replace };
}
