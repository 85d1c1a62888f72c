import { selectChanged } from '../changed/select-changed.mjs';
import { root } from '../toolchain.mjs';
import { gates } from './gates.mjs';
import { selectQuick } from './select-quick.mjs';
import { testFiles } from './test-files.mjs';

/**
 * What a run of `scripts/test.mjs` includes.
 *
 * @param {readonly string[]} options its arguments
 * @returns {{ files?: string[], gateNames: string[], isMatrix: boolean, lines: string[] }} `files`: all if undefined; `lines`: what
 * the run omits, and why
 */
export function selectRun(options) {
  const all = gates.map(({ name }) => name);
  if (options.includes('--matrix')) {
    return { gateNames: [], isMatrix: true, lines: [`Left out: ${all.length} gates, which npm test runs`] };
  }
  if (options.includes('--quick')) {
    const { files, leftOut } = selectQuick(testFiles());
    const quick = gates.filter((gate) => gate.quick).map(({ name }) => name);
    const slowGates = all.filter((name) => !quick.includes(name));
    return {
      files,
      gateNames: quick,
      isMatrix: false,
      lines: [
        `Left out: the gates ${slowGates.join(', ')}`,
        ...leftOut.map(([count, reason]) => `Left out: ${count} files ${reason}`),
      ],
    };
  }
  const changed = options.find((option) => /^--changed(=|$)/.test(option));
  if (changed !== undefined) {
    const revision = changed.split('=')[1] ?? 'HEAD';
    return { ...selectChanged({ root, revision, tests: testFiles(), gates: all }), isMatrix: false };
  }
  return { gateNames: all, isMatrix: false, lines: [] };
}
