import { dirname, join, resolve } from 'node:path';

const apart = ['bidi/server', 'store/postgres', 'store/sqlite'];

/**
 * The sockets and the stores stay in the files of their entry points, which the others import: no chunk needs a module of Node, and
 * `countersign` loads no store.
 *
 * @param {ReadonlyMap<string, string>} entries paths of modules from `root`, by the names of their files
 * @param {string} root
 * @returns {import('rolldown').Plugin}
 * @source ADR 0057.3
 */
export function importEntries(entries, root) {
  const files = new Map(
    apart.map((name) => [withoutExtension(join(root, entries.get(name) ?? name)), `./${name}.js`]),
  );
  return {
    name: 'import-entries',
    resolveId(source, importer) {
      const file = importer && files.get(withoutExtension(resolve(dirname(importer), source)));
      return file ? { id: file, external: true } : null;
    },
  };
}

function withoutExtension(/** @type {string} */ path) {
  return path.replace(/(\.d)?\.ts$/, '');
}
