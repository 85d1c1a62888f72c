import type { History } from '../history.ts';

/** The result of one check. */
export type Checked = {
  /** How many items were checked. */
  readonly checked: number;
  /** The violations, as sentences. */
  readonly faults: readonly string[];
};

/** A property that must hold for every schedule. It uses the observed history, not the engine. */
export type Invariant = {
  readonly name: string;
  readonly check: (history: History) => Checked | Promise<Checked>;
};

/** Counts checks and violations. */
export function tally() {
  const faults: string[] = [];
  let checked = 0;
  return {
    /** Checks one item. Each string is a violation. */
    verify(...found: readonly (string | undefined | false)[]): void {
      checked += 1;
      for (const fault of found) if (fault) faults.push(fault);
    },
    result: (): Checked => ({ checked, faults }),
  };
}
