import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPointPage } from './api-reference/entry-point-page.mjs';
import { readEntryPoints, readFiles } from './api-reference/entry-points.mjs';
import { indexPage } from './api-reference/index-page.mjs';
import { emitDeclarations } from './emit-declarations.mjs';

/**
 * `npm run docs:api` writes docs/api/ from the docstrings of the exports in package.json. With `--check` it writes
 * nothing, lists outdated pages, and exits with 1 if there are any. Argument: another output folder.
 */
process.chdir(join(import.meta.dirname, '..'));
const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'docs/api';
const entryPoints = readEntryPoints(await emitDeclarations());
const pages = new Map([
  ['README.md', indexPage(entryPoints, readFiles())],
  ...entryPoints.map((entryPoint) => [entryPoint.page, entryPointPage(entryPoint, entryPoints)]),
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
  console.error(`Out of date: ${faults.join(', ')}.\nRegenerate them: npm run docs:api`);
  process.exitCode = 1;
}

/** Pages of entry points that no longer exist. */
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
