import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'bench-results';

/** What a table shows of one row: a column for each field. */
export type Shown = Readonly<Record<string, string | number>>;

/** Prints tables as they come. */
export function printTable(title: string, rows: readonly Shown[], note?: string): void {
  console.log(`\n${title}`);
  if (note !== undefined) console.log(note);
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(value)]))),
  );
}

/** Writes what was measured beside the other results. @returns the path */
export function writeResult(name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Three digits that say something; more would be noise. */
function shown(value: string | number): string | number {
  if (typeof value === 'string' || Number.isInteger(value)) return value;
  if (Number.isNaN(value)) return '-';
  return Number(value.toPrecision(3));
}
