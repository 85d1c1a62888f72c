import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const entry = 'the-older-version';

/** The engine and its Postgres store as one module, for an instance of the older version beside one of today's. */
export async function bundleEngine({ require }, root) {
  const vite = join(dirname(require.resolve('vite/package.json')), 'dist/node/index.js');
  const { build } = await import(pathToFileURL(vite).href);
  const source = `export * from '${root}/lib/flow/index.ts';
    export { uiMessageChunks } from '${root}/lib/views/index.ts';
    export { postgresStore } from '${root}/lib/stores/postgres/store.ts';`;
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: {
      ...{ ssr: true, write: false, minify: true, target: 'node22' },
      rollupOptions: { input: entry, external: (id) => id !== entry && /^[@a-z]/.test(id) },
    },
  });
  return output[0].code;
}
