/** The files that each gate reads. Those without a row run always. */
const inputs = {
  'library build':
    /^(lib|scripts\/package)\/|^scripts\/(emit-declarations|pack-library)\.mjs$|^[A-Z]+(\.md)?$|^tsconfig(\.build)?\.json$/,
  'app build': /^(app|lib|public)\/|^(next\.config|proxy)\.ts$|^tsconfig\.json$/,
  types: /\.(ts|tsx|mts|cts|mjs)$|^tsconfig\.json$/,
  lint: /\.(ts|tsx|mjs|cjs|js|json|css)$/,
  imports: /^(lib|app|tests)\/|^server\.ts$|^\.dependency-cruiser\.cjs$/,
  protocol: /^(lib|app|tests|docs\/protocol|docs\/adr)\/|^scripts\/protocol-tests/,
  compatibility: /^docs\/compatibility\.md$|^scripts\/compatibility|^tests\//,
  snippets: /^(lib|examples)\/|\.md$|^scripts\/snippets/,
  'API reference': /^lib\/|^docs\/api\/|^scripts\/(api-reference|emit-declarations)/,
  unused: /\.(ts|tsx|mjs)$|^knip\.json$/,
};

/** What all of them read. */
const concernsAll = /^package(-lock)?\.json$|^scripts\/(test\/gates|run|toolchain)\.mjs$/;

/**
 * Which gates a change can affect. The builds that selected tests need run as well.
 *
 * @param {readonly string[]} names all gates
 * @param {readonly string[]} changed paths
 * @param {readonly string[]} tests the selected ones
 * @returns {Map<string, string>} the reason by gate
 */
export function affectedGates(names, changed, tests) {
  const reasons = new Map();
  for (const name of names) {
    const path = changed.find((path) => concernsAll.test(path) || (inputs[name]?.test(path) ?? true));
    if (path !== undefined) reasons.set(name, `reads ${path}`);
  }
  const needs = { 'app build': 'tests/browser/', 'library build': 'tests/package/' };
  for (const [name, folder] of Object.entries(needs)) {
    const isNeeded = names.includes(name) && tests.some((test) => test.startsWith(folder));
    if (isNeeded && !reasons.has(name)) reasons.set(name, `tests of ${folder} wait for it`);
  }
  return reasons;
}
