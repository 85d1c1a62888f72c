import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readGraph } from './read-imports.mjs';
import { removeRows } from './remove-rows.mjs';

/**
 * What deleting a plugin takes: its folder, its entry points, the pages of these, and what needs it. A file that needs it only for rows
 * of its lists loses these rows. All other files of app/ and tests/ that need it go as well, and so do suites, and files with the
 * plugin's name.
 *
 * @param {string} root of the repository, which is only read
 * @param {string} name of a folder of lib/plugins
 * @param {ReturnType<typeof readGraph>} imports of the repository
 * @returns {{ removed: string[], changed: Map<string, string> }} paths from the root; what changes, with its new text
 * @throws Error if a file of the kernel needs it for more than rows
 */
export function planDeletion(root, name, imports = readGraph(root)) {
  const own = [`lib/plugins/${name}/**/*.*`, `docs/api/plugins-${name}{,-client,-react}.md`];
  const gone = new Set(globSync(own, { cwd: root }));
  const isNamed = (/** @type {string} */ file) => basename(file).startsWith(name);
  const method = camelCaseOf(name);
  const uses = { names: [name, method], all: namesOfPlugins(root) };
  const hasFields = declaresFields(root, name);
  let changed = new Map();
  for (let wasFound = true; wasFound; ) {
    wasFound = false;
    changed = new Map();
    for (const [file, imported] of imports) {
      const goneImports = gone.has(file) ? [] : imported.filter(({ path }) => gone.has(path));
      const text = readFileSync(join(root, file), 'utf8');
      const isUser = !file.startsWith('lib/') && uses.names.some((each) => text.includes(each));
      if (gone.has(file) || (goneImports.length === 0 && !isUser)) continue;
      const specifiers = new Set(goneImports.map(({ node }) => node.source.value));
      const rest = removeRows(file, text, {
        ...{ ...uses, specifiers, whole: isSuite(file) || isNamed(file) },
        hasFields: hasFields && /^(tests|app\/_tools)\//.test(file),
      });
      if (rest === undefined && /^(lib\/|server[.]ts)/.test(file)) {
        throw new Error(`${file} needs what goes with ${name} for more than rows of lists.`);
      }
      if (rest === undefined) gone.add(file);
      else if (rest !== text) changed.set(file, rest);
      wasFound ||= rest === undefined;
    }
  }
  changed.set('package.json', withoutEntryPoints(readFileSync(join(root, 'package.json'), 'utf8'), name));
  return { removed: [...gone], changed };
}

/** Whether a plugin adds fields to tools, questions or answers. They have its name. */
function declaresFields(/** @type {string} */ root, /** @type {string} */ name) {
  return globSync(`lib/plugins/${name}/**/*.ts`, { cwd: root }).some((file) =>
    /^declare module/m.test(readFileSync(join(root, file), 'utf8')),
  );
}

/** Whether a file is a suite, or a suite of types. */
const isSuite = (/** @type {string} */ file) => /[.]test[.]tsx?$|^tests\/types\//.test(file);

/** The names of all plugins: of their folders, and of their methods. */
const namesOfPlugins = (/** @type {string} */ root) =>
  new Set(
    globSync('lib/plugins/*/index.ts', { cwd: root })
      .map((file) => file.split('/')[2] ?? '')
      .flatMap((name) => [name, camelCaseOf(name)]),
  );

const camelCaseOf = (/** @type {string} */ name) =>
  name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());

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
  const camelCase = camelCaseOf(name);
  const named = new RegExp(
    `plugins/${name}\\b|(['"\`])${name}\\1|\\bflow\\.${camelCase}\\b|\\b${camelCase}\\(`,
  );
  return globSync('lib/**/*.{ts,tsx,css}', { cwd: root })
    .filter((file) => !file.startsWith('lib/plugins/'))
    .filter((file) => named.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}
