import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * A stylesheet as one file, so that a page can link it without a bundler.
 *
 * @param {string} file
 * @returns {Promise<string>} its rules and the imported ones, without comments, and without white space and quotes that mean nothing
 */
export async function packedStyles(file) {
  return (await inlined(file))
    .replaceAll(/="([a-z][a-z-]*)"|("[^"]*")|\s*([{};,>])\s*|(:)\s+|\s+/g, (_, value, text, mark, colon) =>
      value === undefined ? (text ?? mark ?? colon ?? ' ') : `=${value}`,
    )
    .replaceAll(';}', '}')
    .trim();
}

/**
 * @param {string} file
 * @returns {Promise<string>} its rules, with every import replaced by the imported rules, without comments
 */
async function inlined(file) {
  const lines = (await readFile(file, 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/\n*/g, '').split('\n');
  const parts = lines.map(async (line) => {
    const [, path] = /^@import "([^"]+)";$/.exec(line) ?? [];
    return path === undefined ? line : inlined(resolve(dirname(file), path));
  });
  return (await Promise.all(parts)).join('\n');
}
