import type { History } from '../history.ts';

/** What one look came to. */
export type Checked = {
  /** How many things were held against the invariant. */
  readonly checked: number;
  /** What did not fit, in sentences. */
  readonly faults: readonly string[];
};

/** Something that must hold, whatever the schedule. It judges what was seen from outside, and asks no engine. */
export type Invariant = {
  readonly name: string;
  readonly check: (history: History) => Checked | Promise<Checked>;
};

/** How often something was looked at, and what was wrong. */
export function tally() {
  const faults: string[] = [];
  let checked = 0;
  return {
    /** Looks at one thing. A text, or several, say what is wrong with it. */
    look(...found: readonly (string | undefined | false)[]): void {
      checked += 1;
      for (const fault of found) if (fault) faults.push(fault);
    },
    result: (): Checked => ({ checked, faults }),
  };
}
