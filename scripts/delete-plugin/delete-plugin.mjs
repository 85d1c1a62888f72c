import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGraph } from './read-imports.mjs';
import { removeRows } from './remove-rows.mjs';

/** The lists that have a row for each plugin. Everything else in app/ and tests/ that imports a plugin goes with it. */
const lists = [
  'app/_frame/card-plugins.ts',
  'app/_server/plugins.ts',
  'lib/cli/main.ts',
  'tests/contract/pairs/plugins.ts',
  'tests/support/card-plugins.ts',
  'tests/support/every-plugin.ts',
];

/**
 * What deleting a plugin takes: its folder, its entry points, the pages of these, its rows in lists, and all files of app/ and tests/
 * that import it, directly or through another such file.
 *
 * @param {string} root of the repository, which is only read
 * @param {string} name of a folder of lib/plugins
 * @param {ReturnType<typeof readGraph>} imports of the repository
 * @returns {{ removed: string[], changed: Map<string, string> }} paths from the root; what changes, with its new text
 * @throws Error if a file of the kernel imports it, or if a list needs it for more than a row
 */
export function planDeletion(root, name, imports = readGraph(root)) {
  const own = [`lib/plugins/${name}/**/*.*`, `docs/api/plugins-${name}{,-client,-react}.md`];
  const gone = new Set(globSync(own, { cwd: root }));
  const changedLists = new Set();
  for (let wasFound = true; wasFound; ) {
    wasFound = false;
    for (const [file, imported] of imports) {
      if (gone.has(file) || !imported.some(({ path }) => gone.has(path))) continue;
      if (lists.includes(file)) changedLists.add(file);
      else if (/^(lib\/|server[.]ts)/.test(file)) throw new Error(`${file} imports what goes with ${name}.`);
      else {
        gone.add(file);
        wasFound = true;
      }
    }
  }
  const changed = new Map();
  for (const file of changedLists) {
    const goneImports = imports.get(file)?.filter(({ path }) => gone.has(path)) ?? [];
    const specifiers = new Set(goneImports.map(({ node }) => node.source.value));
    const text = readFileSync(join(root, file), 'utf8');
    changed.set(
      file,
      removeRows(file, text, (specifier) => specifiers.has(specifier)),
    );
  }
  changed.set('package.json', withoutEntryPoints(readFileSync(join(root, 'package.json'), 'utf8'), name));
  return { removed: [...gone], changed };
}

function withoutEntryPoints(/** @type {string} */ text, /** @type {string} */ name) {
  const description = JSON.parse(text);
  const isOther = (/** @type {[string, unknown]} */ [path]) => !`${path}/`.startsWith(`./plugins/${name}/`);
  description.exports = Object.fromEntries(Object.entries(description.exports).filter(isOther));
  return `${JSON.stringify(description, null, 2)}\n`;
}

/**
 * The kernel files that name a plugin: by its path, as a text, or by the function that makes it.
 *
 * @param {string} root
 * @param {string} name of a folder of lib/plugins
 * @returns {string[]} paths from the root
 */
export function kernelFilesNaming(root, name) {
  const camelCase = name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const named = new RegExp(
    `plugins/${name}\\b|(['"\`])${name}\\1|\\bflow\\.${camelCase}\\b|\\b${camelCase}\\(`,
  );
  return globSync('lib/**/*.{ts,tsx,css}', { cwd: root })
    .filter((file) => !file.startsWith('lib/plugins/'))
    .filter((file) => named.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}
