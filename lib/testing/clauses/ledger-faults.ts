import { readdirSync } from 'node:fs';

/** The folders of a project's decisions and of their suites, both with a trailing slash. */
export type Ledger = { readonly decisions: URL; readonly suites: URL };

/**
 * Finds faults that `adr(file)` cannot see because it reads one file: decisions without a suite, suites without a
 * decision, and numbers that two decisions share. A decision is a file such as `0004-response-timing.md`. Its suite has
 * the same name (`0004-response-timing.test.ts`).
 *
 * @returns one sentence for each fault; an empty list if there is none
 * @throws Error if a folder is missing
 */
export function ledgerFaults({ decisions, suites }: Ledger): string[] {
  const stated = namesIn(decisions, /^(\d{4}-[\w-]+)\.md$/);
  const proved = namesIn(suites, /^(\d{4}-[\w-]+)\.(?:test|spec)\.[cm]?[jt]sx?$/);
  const numbers = stated.map((name) => name.slice(0, 4));
  return [
    ...stated
      .filter((name) => !proved.includes(name))
      .map((name) => `${name}.md has no suite. Add ${name}.test.ts.`),
    ...proved
      .filter((name) => !stated.includes(name))
      .map((name) => `${name} has a suite but no decision. Add ${name}.md, or remove the suite.`),
    ...stated
      .filter((name, index) => numbers.indexOf(name.slice(0, 4)) !== index)
      .map((name) => `${name}.md uses the number of another decision. Use the next free one.`),
  ];
}

function namesIn(folder: URL, pattern: RegExp): string[] {
  return readdirSync(folder)
    .flatMap((file) => pattern.exec(file)?.[1] ?? [])
    .sort();
}
