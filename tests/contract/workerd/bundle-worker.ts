import { isBuiltin } from 'node:module';
import { build, type Plugin } from 'vite';

/** Vite would replace modules of Node by empty ones. Outside, they can be seen. */
const nodeStaysOutside: Plugin = {
  name: 'node-stays-outside',
  enforce: 'pre',
  resolveId: (id) => (isBuiltin(id) ? { id, external: true } : undefined),
};

/**
 * Bundles a module as the tools of Cloudflare do: with what its packages offer for Workers.
 *
 * @param external packages that stay outside. Default: none
 */
export async function bundleWorker(path: string, external: readonly string[] = []): Promise<string> {
  const conditions = ['countersign-source', 'workerd', 'worker', 'browser', 'module'];
  const result = await build({
    configFile: false,
    plugins: [nodeStaysOutside],
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions },
    build: {
      write: false,
      minify: false,
      target: 'es2024',
      lib: { entry: path, formats: ['es'], fileName: 'worker' },
      rolldownOptions: { external: [...external] },
    },
  });
  const chunks = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  return chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

/** What a bundle still imports. The types in comments are no imports. */
export const importsOf = (code: string): (string | undefined)[] =>
  [
    ...code
      .replaceAll(/^\s*\/?\*.*$/gm, '')
      .matchAll(/^import\b[^'"]*['"]([^'"]+)|\b(?:import|require)\(['"]([^'"]+)/gm),
  ].map(([, stated, called]) => stated ?? called);
