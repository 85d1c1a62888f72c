import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * `npm run build:lib`: bundles the optional stylesheet into one file, so that a page can link it without a bundler. Each
 * plugin has a stylesheet of its own.
 */
const root = resolve(import.meta.dirname, '..');
const sources = glob('{react,plugins/*/react}/styles.css', { cwd: resolve(root, 'lib') });

for await (const source of sources) {
  const target = resolve(root, 'dist', source);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, await inlined(resolve(root, 'lib', source)));
}

/**
 * @param {string} file
 * @returns {Promise<string>} its rules, with every import replaced by the imported rules
 */
async function inlined(file) {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const parts = lines.map(async (line) => {
    const [, path] = /^@import "([^"]+)";$/.exec(line) ?? [];
    return path === undefined ? line : inlined(resolve(dirname(file), path));
  });
  return (await Promise.all(parts)).join('\n');
}
