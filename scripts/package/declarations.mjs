import { readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { emitDeclarations } from '../emit-declarations.mjs';
import { importEntries } from './import-entries.mjs';
import { writePlainTypes } from './plain-types.mjs';

/**
 * Bundles the declarations of lib/ into one file for each entry point, and chunks of shared code. The compiler writes the
 * declarations; they are only joined here.
 *
 * @param {ReadonlyMap<string, string>} entries paths from the root by the names of their files
 * @param {string} dir
 * @source ADR 0057.6
 */
export async function bundleDeclarations(entries, dir) {
  const folder = resolve(await emitDeclarations());
  writePlainTypes(folder);
  const declared = [...entries].map(([name, path]) => [
    name,
    join(folder, path.replace(/^lib\/(.*)\.tsx?$/, '$1.d.ts')),
  ]);
  /** @type {Set<string>} */
  const needsReact = new Set();
  /** @type {Set<string>} */
  const needsNode = new Set();
  const bundle = await rolldown({
    cwd: folder,
    input: Object.fromEntries(declared),
    preserveEntrySignatures: 'allow-extension',
    external: (id) => !/^[./]/.test(id),
    // Else a chunk becomes part of an entry point, and adds to its exports.
    experimental: { chunkOptimization: false },
    onLog(level, log, report) {
      // Their paths are replaced below.
      if (!log.message.includes('`declare module ')) report(level === 'warn' ? 'error' : level, log);
    },
    plugins: [
      importEntries(new Map(declared), ''),
      apart,
      dts({ dtsInput: true, emitDtsOnly: true, sourcemap: false, sideEffects: true, tsconfig: false }),
      {
        name: 'what-needs-what',
        buildEnd() {
          const infos = [...this.getModuleIds()].map((id) => this.getModuleInfo(id));
          for (const { id, importedIds } of infos.filter((info) => info !== null)) {
            if (importedIds.includes('react')) needsReact.add(id);
            if (importedIds.some((name) => name.startsWith('node:'))) needsNode.add(id);
          }
          // Iterating over a set also visits what is added during the iteration.
          for (const found of [needsReact, needsNode])
            for (const id of found)
              for (const importer of this.getModuleInfo(id)?.importers ?? []) found.add(importer);
        },
      },
      finished(readFileSync(join(folder, `protocol/${fields}.d.ts`), 'utf8')),
    ],
  });
  await bundle.write({
    dir,
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'chunks/[name].d.ts',
    minifyInternalExports: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name: (id) => (needsNode.has(id) ? 'node' : needsReact.has(id) ? 'elements' : 'types'),
          debugName: 'types',
          minShareCount: 2,
          minSize: 0,
        },
      ],
    },
  });
}

/** Its interfaces are extended by plugins, which TypeScript allows only in the file that declares them: that of `countersign/plugin`. */
const fields = 'plugin-fields';

/** @type {import('rolldown').Plugin} */
const apart = {
  name: 'apart',
  resolveId: (id) => (posix.basename(id) === `${fields}.ts` ? { id: fields, external: true } : null),
};

/**
 * @param {string} declared the interfaces of `fields`
 * @returns {import('rolldown').Plugin}
 */
function finished(declared) {
  return {
    name: 'finished',
    renderChunk(code, { fileName }) {
      const path = posix.relative(posix.dirname(fileName), 'plugin.js').replace(/^(?!\.)/, './');
      return (
        code
          .replaceAll(/^declare module '[^']*\/flow\/plugin\/index\.ts'/gm, `declare module '${path}'`)
          .replaceAll(/^import \* as \w+ from "plugin-fields";\n/gm, '')
          .replace(/^export \* from "plugin-fields";\n/m, declared)
          .replaceAll(/\bfrom "plugin-fields"/g, `from "${path}"`)
          .replaceAll(/\bimport\("[^"]*\/plugin-fields\.ts"\)/g, `import("${path}")`)
          // What leads to files that are not in the package.
          .replaceAll(/^(\/\/#(end)?region.*|\/\/ \S+\.d\.ts)\n/gm, '')
          .replaceAll(/(\n *\*)?\n *\* @source .*(?=\n)/g, '')
          .replaceAll(/ @source [^*\n]*(?= \*\/)/g, '')
      );
    },
    generateBundle(_, bundle) {
      // Helpers for code, of which declarations have none.
      delete bundle['chunks/rolldown-runtime.d.ts'];
    },
  };
}
