import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PublishedRun, tablesOf } from './tables.ts';

/** The documents that show figures of the published run, and the file that has them. Relative to the repository. */
export const documents = ['README.md', 'docs/performance.md'] as const;
const publishedFile = 'docs/performance.json';

/** A table of the bench: what stands between its two marks. */
const marked = /<!-- bench: ([\w-]+) -->.*?<!-- bench end -->/gs;

/** @returns the document with the tables of a run @throws Error if it names a table that there is not */
export function withTables(document: string, run: PublishedRun): string {
  const tables = tablesOf(run);
  return document.replace(marked, (_, name: string) => {
    if (tables[name] === undefined) throw new Error(`There is no table "${name}" of the bench.`);
    return `<!-- bench: ${name} -->\n\n${tables[name]}\n\n<!-- bench end -->`;
  });
}

/** Writes the run, and its tables into every document. @param root of the repository */
export function publish(root: string, run: PublishedRun): void {
  writeFileSync(join(root, publishedFile), `${JSON.stringify(run, rounded, 1)}\n`);
  for (const path of documents.map((document) => join(root, document))) {
    writeFileSync(path, withTables(readFileSync(path, 'utf8'), readPublished(root)));
  }
}

/** @param root of the repository */
export function readPublished(root: string): PublishedRun {
  return JSON.parse(readFileSync(join(root, publishedFile), 'utf8'));
}

/** More digits would be noise, and a diff of them no use. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
