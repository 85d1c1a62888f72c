import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { run } from '../run.mjs';

const cache = 'node_modules/.cache';
const stylesheets = 'stylesheets.d.ts';

/** Settings that differ from the project's: a snippet may declare names that it does not use. */
const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };

/**
 * Type-checks snippets, all in one compiler run. Takes a few seconds.
 *
 * @param {readonly import('./read-blocks.mjs').Snippet[]} snippets
 * @returns {Promise<string[]>} the errors, as `path:line: message`
 */
export async function compile(snippets) {
  if (snippets.length === 0) return [];
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'snippets-'));
  try {
    const places = new Map();
    for (const snippet of snippets) {
      const path = join(folderOf(snippet.document), snippet.path);
      // Without an import or export a file would be a script, and its names would be global.
      const text = `${snippet.before}${snippet.text}\nexport {};\n`;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      places.set(path, snippet);
    }
    writeFileSync(join(folder, stylesheets), declareStylesheets());
    const settings = {
      extends: relative(folder, 'tsconfig.json'),
      compilerOptions,
      files: [stylesheets, ...places.keys()],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...settings, include: [], exclude: [] }));
    const compiler = 'node_modules/typescript/bin/tsc';
    const { code, output } = await run(
      process.execPath,
      [compiler, '--project', folder, '--pretty', 'false'],
      { quiet: true },
    );
    return code === 0 ? [] : faultsIn(output, folder, places);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Declares the package's own stylesheets, which a bundler handles. Other names are errors. */
function declareStylesheets() {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.keys(exports)
    .filter((path) => path.endsWith('.css'))
    .map((path) => `declare module '${path.replace('.', name)}';\n`)
    .join('');
}

/** One folder for each document, because two documents may have an `app/flow.ts`. */
function folderOf(document) {
  return document.replaceAll(/[^\w]+/g, '-').replace(/^-/, '');
}

/** Maps the compiler's messages to their places in the documents. */
function faultsIn(output, folder, places) {
  const faults = [];
  for (const line of output.trim().split('\n')) {
    const [, path = '', row, message] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
    const snippet = places.get(relative(folder, path));
    if (snippet) {
      const inBlock = Number(row) - (snippet.before.split('\n').length - 1);
      const place = inBlock > 0 ? snippet.line + inBlock - 1 : snippet.line;
      faults.push(`${snippet.document}:${place}: ${message}`);
    } else faults.push(line);
  }
  return faults;
}
