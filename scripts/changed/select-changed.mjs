import { affectedGates } from './affected-gates.mjs';
import { affectedTests } from './affected-tests.mjs';
import { changedFiles } from './changed-files.mjs';
import { readGraph } from './read-graph.mjs';

/**
 * What a run of `npm test -- --changed` includes, and why.
 *
 * @param {{ root: string, revision: string, tests: readonly string[], gates: readonly string[] }} all
 * @returns {{ files: string[], gateNames: string[], lines: string[] }} `lines` for people
 */
export function selectChanged({ root, revision, tests, gates }) {
  const changed = changedFiles(root, revision);
  const reasons = affectedTests(readGraph(root), tests, changed);
  const gateReasons = affectedGates(gates, changed, [...reasons.keys()]);
  const leftOut = gates.filter((name) => !gateReasons.has(name));
  return {
    files: [...reasons.keys()],
    gateNames: [...gateReasons.keys()],
    lines: [
      `${changed.length} files differ from ${revision}: ${shortened(changed)}`,
      ...grouped(reasons).map(([reason, files]) => `  ${reason}: ${shortened(files)}`),
      ...grouped(gateReasons).map(([reason, names]) => `  ${reason}: the gates ${names.join(', ')}`),
      `Left out: ${tests.length - reasons.size} of ${tests.length} files, which this change cannot affect`,
      ...(leftOut.length > 0
        ? [`Left out: the gates ${leftOut.join(', ')}, which this change cannot affect`]
        : []),
    ],
  };
}

/** @param {Map<string, string>} reasons @returns {[reason: string, names: string[]][]} the most frequent one first */
function grouped(reasons) {
  const groups = Object.groupBy(reasons.keys(), (name) => reasons.get(name));
  return Object.entries(groups).sort(([, a], [, b]) => b.length - a.length);
}

/** @param {readonly string[]} paths */
function shortened(paths) {
  const shown = paths.slice(0, 4).join(', ');
  return paths.length > 4 ? `${shown} and ${paths.length - 4} more` : shown;
}
