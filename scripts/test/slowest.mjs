import { seconds } from './times.mjs';

const shown = 20;
/** Below this, the order is chance. */
const slowMs = 100;

/**
 * Prints the slowest files or tests.
 *
 * @param {string} what
 * @param {{ ms: number, text: string }[]} entries
 */
export function printSlowest(what, entries) {
  const slowest = entries
    .filter(({ ms }) => ms >= slowMs)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, shown);
  if (slowest.length === 0) return;
  console.log(`\nThe slowest ${slowest.length} ${what}:`);
  for (const { ms, text } of slowest) console.log(`${seconds(ms).padStart(9)}  ${text}`);
}
