const source = 'countersign-source';

/**
 * The modules that become files of `dist/`.
 *
 * @param {Manifest} manifest of the repository
 * @returns {Map<string, string>} paths from the root, by their paths in `dist/` without an extension; stylesheets with one
 */
export function entriesOf({ exports, bin }) {
  const exported = Object.entries(exports).map(([path, target]) => [fileOf(path), target[source]]);
  return new Map([...exported, ['cli', bin.countersign]].map(([file, path]) => [file, path.slice(2)]));
}

/**
 * The package.json of the package: exports that lead to `dist/`, and nothing that only the repository needs.
 *
 * @param {Manifest} manifest of the repository
 */
export function packedManifest({ private: _, scripts, allowScripts, devDependencies, overrides, ...kept }) {
  const targets = Object.keys(kept.exports).map((path) => {
    const file = `./dist/${fileOf(path)}`;
    const built = { types: `${file}.d.ts`, default: `${file}.js` };
    return [path, isStylesheet(path) ? { default: file } : built];
  });
  return { ...kept, bin: { countersign: './dist/cli.js' }, exports: Object.fromEntries(targets) };
}

/** @param {string} path */
export function isStylesheet(path) {
  return path.endsWith('.css');
}

/** @param {string} path of an export */
function fileOf(path) {
  return path === '.' ? 'index' : path.slice(2);
}

/** @typedef {typeof import('../../package.json')} Manifest */
