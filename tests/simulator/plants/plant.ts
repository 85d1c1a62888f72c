// depends on: only its imports
import type { Mutant } from '../../support/patches/patch.ts';

/**
 * A bug in the product: one changed condition of a rule. The invariants and the search do not know which bug is
 * planted.
 */
export type Plant = Mutant & {
  /** The rule that it breaks: an item of a decision record. */
  readonly rule: string;
  /** The file of the plugin without which no schedule reveals it, if it is in another file. */
  readonly plugin?: string;
};
