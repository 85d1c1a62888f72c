import { globSync } from 'node:fs';
import { root } from '../toolchain.mjs';

/** @returns {string[]} all files of tests, from the project's folder, with `/` on every platform */
export function testFiles() {
  return globSync('tests/**/*.test.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}
