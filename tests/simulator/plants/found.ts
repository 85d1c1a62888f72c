import { readFileSync, writeFileSync } from 'node:fs';

/** The seed that shows a planted bug, and the invariant that breaks then. */
export type Found = { readonly plant: string; readonly seed: number; readonly invariant: string };

const file = new URL('./found-plants.json', import.meta.url);

/** The seeds that a search has found. They are valid until the simulator draws otherwise. */
export function readFound(): readonly Found[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Keeps what a search has found. */
export function writeFound(found: readonly Found[]): void {
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
}
