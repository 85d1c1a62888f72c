import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { doorPage } from './api-reference/door-page.mjs';
import { readDoors, readFiles } from './api-reference/doors.mjs';
import { emitDeclarations } from './api-reference/emit.mjs';
import { indexPage } from './api-reference/index-page.mjs';

/**
 * `npm run docs:api` writes docs/api/ from the docstrings of what package.json exports; with `--check` it writes
 * nothing, names the pages that are out of date, and exits with 1 if there are any. An argument: another folder.
 */
process.chdir(join(import.meta.dirname, '..'));
const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'docs/api';
const doors = readDoors(await emitDeclarations());
const pages = new Map([
  ['README.md', indexPage(doors, readFiles())],
  ...doors.map((door) => [door.page, doorPage(door, doors)]),
]);
if (process.argv.includes('--check')) check();
else write();

function write() {
  mkdirSync(folder, { recursive: true });
  for (const name of strangers()) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  console.log(`${pages.size} pages in ${folder}.`);
}

function check() {
  const stale = [...pages].filter(([name, text]) => textOf(name) !== text).map(([name]) => name);
  const faults = [...stale, ...strangers()].map((name) => join(folder, name));
  if (faults.length === 0) return;
  console.error(`Out of date: ${faults.join(', ')}.\nWrite them anew: npm run docs:api`);
  process.exitCode = 1;
}

/** Pages of doors that are no more. */
function strangers() {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder).filter((name) => !pages.has(name));
}

function textOf(name) {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}
