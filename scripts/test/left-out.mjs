/**
 * What a file did not run: what it has recorded itself (`tests/support/left-out.ts`), and its skipped tests with their notes.
 *
 * @param {import('vitest/node').TestModule} module
 * @param {import('vitest/node').TestCase[]} tests of this module
 * @returns {Map<string, number>} counts by reason
 */
export function leftOutOf(module, tests) {
  const counts = new Map(Object.entries(module.meta().leftOut ?? {}));
  for (const test of tests) {
    const result = test.result();
    // Without a note, its suite has failed before it.
    if (result.state !== 'skipped' || (result.note === undefined && module.state() === 'failed')) continue;
    const reason = `tests: ${result.note ?? 'skipped without a reason'}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

/** @param {ReadonlyMap<string, number>} counts by reason */
export function printLeftOut(counts) {
  if (counts.size === 0) return;
  console.log('\nLeft out:');
  for (const [reason, count] of counts) console.log(`${String(count).padStart(9)}  ${reason}`);
}
