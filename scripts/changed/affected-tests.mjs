/**
 * Which tests a change can affect, and why.
 *
 * A test depends on the files that it imports, and on the files and folders that it names, and so on. A browser or package test
 * runs the built app or the packed library, which depend on everything: it depends on the folders that it declares, and on the
 * files of `tests/` that it imports. One that declares none always runs. So does a test that reads files or starts programs
 * without saying which.
 *
 * @param {import('./read-graph.mjs').Graph} graph
 * @param {readonly string[]} tests paths
 * @param {readonly string[]} changed paths
 * @returns {Map<string, string>} the reason by test
 */
export function affectedTests(graph, tests, changed) {
  const everything = changed.find((path) => concernsAll.test(path));
  if (everything) return new Map(tests.map((test) => [test, `all tests depend on ${everything}`]));
  const known = withSetups(graph, tests);
  const byImports = affectedFiles(known, changed, { isWhole: true });
  const byDeclaration = affectedFiles(known, changed, { isWhole: false });
  const reasons = new Map();
  for (const test of tests) {
    const isUndeclared = declaring.test(test) && known.get(test)?.declared === undefined;
    const affected = declaring.test(test) ? byDeclaration : byImports;
    const reason = isUndeclared ? 'declares no folders' : affected.get(test);
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
  [/^tests\/upgrade\//, ['tests/upgrade/global-setup.ts']],
  [/^tests\/(adr|e2e|contract|unit)\//, ['tests/support/leave-nothing-behind.ts']],
];

/** @returns {import('./read-graph.mjs').Graph} */
function withSetups(graph, tests) {
  const known = new Map(graph);
  for (const test of tests) {
    const node = graph.get(test);
    const files = setups.flatMap(([pattern, files]) => (pattern.test(test) ? files : []));
    if (node !== undefined) known.set(test, { ...node, paths: new Set([...node.paths, ...files]) });
  }
  return known;
}

/**
 * Goes from the changed files to those that depend on them.
 *
 * @param {{ isWhole: boolean }} options `isWhole`: through all files, instead of those of `tests/` alone; what is in declared
 * folders is then taken to be imported; and files of unknown dependencies count as changed
 * @returns {Map<string, string>} the reason by file
 */
function affectedFiles(graph, changed, { isWhole }) {
  const users = usersOf(graph, { isWhole });
  const reasons = new Map();
  for (const path of changed) {
    reasons.set(path, 'is changed');
    for (const folder of foldersOf(path)) spread(folder, `depends on ${folder}/, where ${path} is changed`);
    spread(path, `depends on ${path}`);
  }
  for (const [path, { isBlind }] of isWhole ? graph : []) {
    if (isBlind) spread(path, `${path} reads files or starts programs, and declares none`);
    if (isBlind && !reasons.has(path)) reasons.set(path, 'reads files or starts programs, and declares none');
  }
  return reasons;

  function spread(start, reason) {
    const found = [start];
    for (const path of found) {
      for (const user of users.get(path) ?? []) {
        if (reasons.has(user)) continue;
        reasons.set(user, reason);
        found.push(user);
      }
    }
  }
}

/** @returns {Map<string, string[]>} which files depend on a file or a folder */
function usersOf(graph, { isWhole }) {
  const users = new Map();
  for (const [path, { paths, declared = [] }] of graph) {
    if (!isWhole && !path.startsWith('tests/')) continue;
    const inFolders = isWhole && declared.length > 0 ? filesIn(graph, declared) : [];
    for (const used of [...paths, ...inFolders]) {
      const known = users.get(used);
      if (known) known.push(path);
      else users.set(used, [path]);
    }
  }
  return users;
}

/** @returns {string[]} the sources in declared folders. A test may import them, but not other tests */
function filesIn(graph, folders) {
  return [...graph.keys()].filter(
    (path) => !path.startsWith('tests/') && folders.some((folder) => path.startsWith(`${folder}/`)),
  );
}

/** @param {string} path @returns {string[]} such as `docs` and `docs/guides` of `docs/guides/a.md` */
function foldersOf(path) {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
