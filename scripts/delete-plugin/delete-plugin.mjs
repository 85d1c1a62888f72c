import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cutDocuments, withoutReferences } from './documents.mjs';
import { readGraph } from './read-imports.mjs';
import { removeRows } from './remove-rows.mjs';

/**
 * What deleting a plugin takes: its folder, its entry points, the pages of these, the tests with its name, and what
 * needs it. A file that needs it only for rows
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
  const own = [
    `lib/plugins/${name}/**/*.*`,
    `docs/api/plugins-${name}{,-client,-react}.md`,
    `docs/protocol/${name}.md`,
    `tests/**/${name}{.,-}*`,
  ];
  const gone = new Set(globSync(own, { cwd: root }));
  const isNamed = (/** @type {string} */ file) => basename(file).startsWith(name);
  const method = camelCaseOf(name);
  const uses = { names: [name, method], all: namesOfPlugins(root), endpoints: endpointsOf(root, name) };
  const hasFields = declaresFields(root, name);
  let changed = new Map();
  /** What is left of each file without so many of its imports: more of them go, none come back. */
  const results = new Map();
  for (let wasFound = true; wasFound; ) {
    wasFound = false;
    changed = new Map();
    for (const [file, imported] of imports) {
      const goneImports = gone.has(file) ? [] : imported.filter(({ path }) => gone.has(path));
      const text = readFileSync(join(root, file), 'utf8');
      const isUser =
        (!file.startsWith('lib/') && uses.names.some((each) => text.includes(each))) ||
        (isSuite(file) && uses.endpoints?.test(text));
      if (gone.has(file) || (goneImports.length === 0 && !isUser && !namesPatches(file))) continue;
      const specifiers = new Set(goneImports.map(({ specifier }) => specifier));
      const known = results.get(file);
      const isKnown = known?.imports === specifiers.size && !namesPatches(file);
      const rest = isKnown
        ? known.rest
        : removeRows(file, text, {
            ...{ ...uses, specifiers, isSuite: isSuite(file), whole: isOfTypes(file) || isNamed(file) },
            hasFields: hasFields && /^(tests|app\/_tools)\//.test(file),
            ...(namesPatches(file) && { paths: pathsOf(gone) }),
          });
      results.set(file, { imports: specifiers.size, rest });
      if (rest === undefined && /^(lib\/|server[.]ts)/.test(file)) {
        throw new Error(`${file} needs what goes with ${name} for more than rows of lists.`);
      }
      if (rest === undefined) gone.add(file);
      else if (rest !== text) changed.set(file, rest);
      wasFound ||= rest === undefined;
    }
  }
  changed.set('package.json', withoutEntryPoints(readFileSync(join(root, 'package.json'), 'utf8'), name));
  for (const [file, text] of recordedOf(root, gone, changed)) changed.set(file, text);
  const about = readFileSync(join(root, sentences), 'utf8');
  const paths = new Set(['', '/client', '/react'].map((end) => `countersign/plugins/${name}${end}`));
  changed.set(sentences, removeRows(sentences, about, { specifiers: new Set(), names: [], paths }) ?? about);
  const clauses = clausesOf(root, changed);
  const documents = cutDocuments(readDocuments(root), { name, files: withDecisions(gone), clauses });
  for (const [file, text] of documents.changed) changed.set(file, text);
  for (const file of documents.removed) gone.add(file);
  const cited = new Set([...clauses, ...documents.removed.flatMap((file) => idsOf(root, file))]);
  for (const file of globSync('{lib,app,tests}/**/*.{ts,tsx,css}', { cwd: root })) {
    if (gone.has(file)) continue;
    const text = changed.get(file) ?? readFileSync(join(root, file), 'utf8');
    const dependsOn = text.replace(/^\/\/ depends on: .*$/m, (line) =>
      line.replace(new RegExp(` lib/plugins/${name}(?![\\w-])`), ''),
    );
    const rest = withoutReferences(dependsOn, cited);
    if (rest !== text) changed.set(file, rest);
  }
  return { removed: [...gone], changed };
}

/** What others cite of a document: the number of a decision, or the requirements of a protocol. */
function idsOf(/** @type {string} */ root, /** @type {string} */ file) {
  const text = readFileSync(join(root, file), 'utf8');
  const requirements = [...text.matchAll(/^### ([A-Z]\d+)$/gm)].map(([, id]) => id ?? '');
  return file.startsWith('docs/adr/') ? [basename(file).slice(0, 4)] : requirements;
}

/** The forms in which lists of patches name files. */
const pathsOf = (/** @type {ReadonlySet<string>} */ gone) =>
  new Set([...gone].flatMap((file) => [file, file.replace(/^lib\//, '')]));

/** A decision goes with its suite. */
const withDecisions = (/** @type {ReadonlySet<string>} */ gone) =>
  new Set([...gone].map((file) => file.replace(/^tests\/adr\/(\d{4}-.*)[.]test[.]ts$/, 'docs/adr/$1.md')));

/** The clauses that are no longer tested by the suite of their decision. */
function clausesOf(/** @type {string} */ root, /** @type {ReadonlyMap<string, string>} */ changed) {
  const clauses = (/** @type {string} */ text) =>
    [...text.matchAll(/\bclause\(\s*'(\d{4}[.]\d+)'/g)].map(([, id]) => id ?? '');
  const suites = [...changed].filter(([file]) => file.startsWith('tests/adr/'));
  return new Set(
    suites.flatMap(([file, text]) => {
      const kept = new Set(clauses(text));
      return clauses(readFileSync(join(root, file), 'utf8')).filter((id) => !kept.has(id));
    }),
  );
}

/** What is recorded of mutants and plants, without those that go. */
function recordedOf(
  /** @type {string} */ root,
  /** @type {ReadonlySet<string>} */ removed,
  /** @type {ReadonlyMap<string, string>} */ changed,
) {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
  const names = (/** @type {string} */ text) =>
    [...text.matchAll(/\bname: '([\w-]+)'/g)].map(([, name]) => name ?? '');
  const gone = new Set(
    [...removed, ...changed.keys()].filter(namesPatches).flatMap((file) => {
      const kept = new Set(names(changed.get(file) ?? ''));
      return names(read(file)).filter((name) => !kept.has(name));
    }),
  );
  const rows = Object.entries(JSON.parse(read(recorded))).filter(([name]) => !gone.has(name));
  const plants = JSON.parse(read(found)).filter(
    (/** @type {{ plant: string }} */ { plant }) => !gone.has(plant),
  );
  const asText = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    [recorded, asText(Object.fromEntries(rows))],
    [found, asText(plants)],
  ]);
}

const recorded = 'tests/mutants/recorded.json';
const found = 'tests/simulator/plants/found-plants.json';

/** Has a sentence for each entry point. */
const sentences = 'scripts/api-reference/entry-points.mjs';

/** Whether a file lists patches of `lib/`, as texts. */
const namesPatches = (/** @type {string} */ file) =>
  /^tests\/(mutants\/promises|simulator\/plants)\//.test(file);

/** @returns {Map<string, string>} documents by path, without the generated ones */
function readDocuments(/** @type {string} */ root) {
  const files = globSync(['*.md', 'docs/*.md', 'docs/{adr,guides,protocol,protocol/recorded}/*.md'], {
    cwd: root,
  });
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Matches the paths of endpoints that only this plugin has. `undefined`: it has none. */
function endpointsOf(/** @type {string} */ root, /** @type {string} */ name) {
  const declared = (/** @type {string} */ files) =>
    globSync(files, { cwd: root }).flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\b(path|prefix): '(\/[^']*)'/g),
    ]);
  const ofKernel = new Set(declared('lib/{sse,bidi,server}/**/*.ts').map(([, , path]) => path));
  const own = declared(`lib/plugins/${name}/**/*.ts`).filter(([, , path]) => !ofKernel.has(path));
  if (own.length === 0) return undefined;
  const patterns = own.map(([, kind, path = '']) => {
    const pattern = path.replaceAll('.', '[.]').replaceAll(/[{]\w+[}]/g, '[^/?]+');
    return kind === 'prefix' ? `${pattern}/` : `/api${pattern}(?![\\w./-])`;
  });
  return new RegExp(patterns.join('|'));
}

/** Whether a plugin adds fields to tools, questions or answers. They have its name. */
function declaresFields(/** @type {string} */ root, /** @type {string} */ name) {
  return globSync(`lib/plugins/${name}/**/*.ts`, { cwd: root }).some((file) =>
    /^declare module/m.test(readFileSync(join(root, file), 'utf8')),
  );
}

const isSuite = (/** @type {string} */ file) => /[.]test[.]tsx?$/.test(file);

/** Whether a file is a suite of types: it has no tests that could go alone. */
const isOfTypes = (/** @type {string} */ file) => file.startsWith('tests/types/');

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
