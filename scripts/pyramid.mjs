import { countLines } from './pyramid/count-lines.mjs';
import { countLevels } from './pyramid/levels.mjs';
import { testFiles } from './test/test-files.mjs';
import { clock } from './test/times.mjs';
import { readTimings } from './test/timings.mjs';
import { root } from './toolchain.mjs';

/**
 * `npm run test:pyramid`: prints the levels of the tests, with their counts and the times of the last run of `npm test`, and the
 * lines of the tests for one line of `lib/`. The table is the one of CONTRIBUTING.md.
 */
const { lib, tests } = countLines(root);
const rows = countLevels(testFiles(), readTimings('main').files);
const unknown = rows.reduce((sum, row) => sum + row.unknown, 0);

console.log('| level | proves | files | tests | time |\n|---|---|--:|--:|--:|');
for (const { name, about, files, tests, ms } of rows) {
  console.log(`| ${name} | ${about} | ${files} | ${tests.toLocaleString('en')} | ${clock(ms)} |`);
}
console.log('\nThe times are the sums of the files, of which several run at the same time.');
if (unknown > 0) console.log(`${unknown} files have not run yet: npm test`);
const ratio = (tests / lib).toFixed(2);
console.log(
  `${tests.toLocaleString('en')} lines of tests, ${lib.toLocaleString('en')} of lib: ${ratio} for one`,
);
