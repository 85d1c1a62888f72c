import { readFileSync, writeFileSync } from 'node:fs';

/** The seed that reveals a planted bug, and the invariant that it breaks. */
export type Found = { readonly plant: string; readonly seed: number; readonly invariant: string };

const file = new URL('./found-plants.json', import.meta.url);

/** The seeds found by a search. They are valid until the simulator's random choices change. */
export function readFound(): readonly Found[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Saves the result of a search. */
export function writeFound(found: readonly Found[]): void {
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
}
