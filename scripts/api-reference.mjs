import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPointPage } from './api-reference/entry-point-page.mjs';
import { readEntryPoints, readFiles } from './api-reference/entry-points.mjs';
import { indexPage } from './api-reference/index-page.mjs';
import { outdatedPages, strangers } from './api-reference/outdated-pages.mjs';
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
  for (const name of strangers(pages, folder)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  console.log(`${pages.size} pages in ${folder}.`);
}

function check() {
  const outdated = outdatedPages(pages, folder);
  if (outdated.length === 0) return;
  console.error(`Out of date: ${outdated.join(', ')}.\nRegenerate them: npm run docs:api`);
  process.exitCode = 1;
}
