import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../toolchain.mjs';
import { chunkOf } from './chunk-of.mjs';
import { importEntries } from './import-entries.mjs';
import { markPure } from './mark-pure.mjs';

const mark = "'use client'";

/**
 * Bundles lib/ into one file for each entry point, and chunks of shared code. Packages stay imports. Names of a module's
 * top level are kept, for stack traces.
 *
 * @param {ReadonlyMap<string, string>} entries paths from the root by the names of their files
 * @param {string} dir
 * @throws {Error} for anything that the bundler warns of
 * @source ADR 0057.1, ADR 0057.2
 */
export async function bundleCode(entries, dir) {
  /** @type {ReturnType<typeof chunkOf>} */
  let chunk = () => undefined;
  const marked = new Set();
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries),
    platform: 'neutral',
    preserveEntrySignatures: 'allow-extension',
    external: (id) => !isInside(id),
    treeshake: { moduleSideEffects: false },
    onLog: (level, log, report) => {
      if (!expected.has(log.code ?? '')) report(level === 'warn' ? 'error' : level, log);
    },
    plugins: [
      importEntries(entries, root),
      {
        name: 'chunks',
        buildEnd() {
          const modules = [...this.getModuleIds()]
            .filter((each) => isAbsolute(each))
            .map((id) => {
              const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
              const isMarked = readFileSync(id, 'utf8').startsWith(mark);
              if (isMarked) marked.add(id);
              const imports = importedIds.filter((each) => isAbsolute(each));
              const packages = importedIds.filter((each) => !isAbsolute(each));
              return /** @type {const} */ ([
                id,
                {
                  imports,
                  packages,
                  later: dynamicallyImportedIds.filter((each) => isAbsolute(each)),
                  isMarked,
                },
              ]);
            });
          chunk = chunkOf(
            new Map(modules),
            new Map([...entries].map(([name, path]) => [join(root, path), name])),
          );
        },
        // Only now: minification would take the marks away.
        generateBundle(_, files) {
          for (const file of Object.values(files))
            if (file.type === 'chunk') file.code = markPure(file.code, this.parse(file.code));
        },
      },
    ],
  });
  await bundle.write({
    dir,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    minifyInternalExports: false,
    comments: { annotation: true, legal: false, jsdoc: false },
    minify: { compress: true, mangle: { toplevel: false }, codegen: { removeWhitespace: true } },
    banner: ({ name, moduleIds: [first = ''] }) =>
      name === 'components' || marked.has(first) ? `${mark};` : '',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: (id) => chunk(id), debugName: 'chunkOf', minSize: 0 }],
    },
  });
}

/** The mark of a module becomes that of its chunk. What is loaded on demand may also be imported by another entry point. */
const expected = new Set(['MODULE_LEVEL_DIRECTIVE', 'INEFFECTIVE_DYNAMIC_IMPORT']);

function isInside(/** @type {string} */ id) {
  return /^[./]/.test(id);
}
