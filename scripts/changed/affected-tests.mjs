/**
 * Which tests a change can affect, and why.
 *
 * A test depends on the files that it imports, and on the files and folders that it names, and so on. A browser or package test
 * runs the built app or the packed library, which depend on everything: it depends on the folders that it declares, and on the
 * files of `tests/` that it imports. One that declares none always runs.
 *
 * @param {import('./read-graph.mjs').Graph} graph
 * @param {readonly string[]} tests paths
 * @param {readonly string[]} changed paths
 * @returns {Map<string, string>} the reason by test
 */
export function affectedTests(graph, tests, changed) {
  const everything = changed.find((path) => concernsAll.test(path));
  const reasons = new Map();
  for (const test of tests) {
    const reason = everything ? `${everything} concerns all tests` : reasonToRun(graph, test, changed);
    if (reason !== undefined) reasons.set(test, reason);
  }
  return reasons;
}

/** What every process of the tests reads. */
const concernsAll = /^(package\.json|package-lock\.json|vitest\.config\.ts|tsconfig\.json)$/;

const declaring = /^tests\/(browser|package)\//;

/** What Vitest loads for the files of a folder, by their names. */
const setups = [
  [/^tests\/browser\//, ['tests/browser/global-setup.ts', 'tests/browser/support/app-url.ts']],
  [/^tests\/package\//, ['tests/package/global-setup.ts', 'tests/package/support/wait-for-tarball.ts']],
  [/^tests\/(adr|e2e|contract|unit)\//, ['tests/support/leave-nothing-behind.ts']],
];

/** @returns {string | undefined} */
function reasonToRun(graph, test, changed) {
  const isDeclaring = declaring.test(test);
  if (isDeclaring && graph.get(test)?.declared === undefined) return 'declares no folders';
  const start = [test, ...setups.flatMap(([pattern, files]) => (pattern.test(test) ? files : []))];
  /** By path: what leads there. */
  const reached = new Map(start.map((path) => [path, test]));
  for (const path of reached.keys()) {
    const node = graph.get(path);
    if (node === undefined || (isDeclaring && !path.startsWith('tests/'))) continue;
    if (node.isBlind && !isDeclaring) return `${path} reads files or starts programs, and declares none`;
    for (const next of [...node.paths, ...(isDeclaring ? [] : filesIn(graph, node.declared ?? []))]) {
      if (!reached.has(next)) reached.set(next, path);
    }
  }
  for (const path of changed) {
    if (path === test) return 'is changed';
    const found = [path, ...foldersOf(path)].find((name) => reached.has(name));
    if (found === path) return `imports or names ${path}`;
    if (found !== undefined) return `${reached.get(found)} depends on ${found}/`;
  }
  return undefined;
}

/** What is in declared folders may be imported, and what it imports. */
function filesIn(graph, folders) {
  return [...graph.keys()].filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
}

/** @param {string} path @returns {string[]} such as `docs/guides` and `docs` of `docs/guides/a.md` */
function foldersOf(path) {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
