import { readFileSync, writeFileSync } from 'node:fs';
import type { Verdict } from './play-mutant.ts';

const file = new URL('../recorded.json', import.meta.url);

/** By the name of a mutant: the suite that killed it, or `survives`. */
export type Recorded = Readonly<Record<string, string>>;

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Replaces what is recorded of the mutants that were played, and drops those that no longer exist. */
export function record(verdicts: ReadonlyMap<string, Verdict>, names: readonly string[]): void {
  const old = readRecorded();
  const rows = names.flatMap((name) => {
    const verdict = verdicts.get(name);
    const entry = verdict ? entryOf(verdict) : old[name];
    return entry === undefined ? [] : [[name, entry] as const];
  });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

/** A broken mutant is not recorded. */
function entryOf(verdict: Verdict): string | undefined {
  if (verdict.type === 'broken') return undefined;
  return verdict.type === 'survived' ? 'survives' : verdict.by;
}
