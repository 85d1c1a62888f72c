import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * `npm run build:lib`: bundles the optional stylesheet into one file, so that a page can link it without a bundler.
 */
const root = resolve(import.meta.dirname, '..');
const source = resolve(root, 'lib/react/styles.css');
const target = resolve(root, 'dist/react/styles.css');

await mkdir(dirname(target), { recursive: true });
await writeFile(target, await inlined(source));

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
