import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * A stylesheet as one file, so that a page can link it without a bundler.
 *
 * @param {string} file
 * @returns {Promise<string>} its rules, with every import replaced by the imported rules, without comments
 */
export async function inlined(file) {
  const lines = (await readFile(file, 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/\n*/g, '').split('\n');
  const parts = lines.map(async (line) => {
    const [, path] = /^@import "([^"]+)";$/.exec(line) ?? [];
    return path === undefined ? line : inlined(resolve(dirname(file), path));
  });
  return (await Promise.all(parts)).join('\n');
}
