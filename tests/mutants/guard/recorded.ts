import { readFileSync, writeFileSync } from 'node:fs';
import type { Verdict } from './play-mutant.ts';

const file = new URL('../recorded.json', import.meta.url);

/** By the name of a mutant: the suite that killed it, or `survives`. */
export type Recorded = Readonly<Record<string, string | undefined>>;

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Keeps the result of one mutant, and drops those of mutants that no longer exist. */
export function record(played: string, verdict: Verdict, names: readonly string[]): void {
  const known: Recorded = { ...readRecorded(), [played]: entryOf(verdict) };
  const rows = names.map((name) => [name, known[name]]);
  // What is undefined is left out.
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

/** A broken mutant is not recorded. */
function entryOf(verdict: Verdict): string | undefined {
  if (verdict.type === 'broken') return undefined;
  return verdict.type === 'survived' ? 'survives' : verdict.by;
}
