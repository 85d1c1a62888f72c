import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Neither tests nor written by hand: the benchmark, recordings, and what the previous version left behind. */
const notCounted = /^tests[\\/](bench|upgrade)[\\/]|[\\/]recorded[\\/]|node_modules/;

/**
 * Counts lines of TypeScript.
 *
 * @param {string} root
 * @returns {{ lib: number, tests: number }} `tests` without the benchmark, recordings and `tests/upgrade`
 */
export function countLines(root) {
  const linesIn = (folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
      .filter((file) => !notCounted.test(file))
      .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
  return { lib: linesIn('lib'), tests: linesIn('tests') };
}
