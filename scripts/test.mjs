import { buildApp } from './build-app.mjs';
import { packed, runGates } from './gates.mjs';
import { runTests } from './run-tests.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * `npm test`: installs what is missing, then runs every gate and the tests. It ends with a line for each
 * failure, `failed: <what>`, and with `N passed, N failed`: one for each test, one for each gate, one for the
 * app's build.
 *
 * `--quick` (`npm run test:quick`) omits whatever needs a build, a browser, a database server or a lot of time.
 * `--matrix` (`npm run test:matrix`) runs only the rows of long tables that `npm test` omits, and no gate.
 */
const suite = process.argv.includes('--quick')
  ? 'quick'
  : process.argv.includes('--matrix')
    ? 'matrix'
    : 'main';
const toolchain = await prepareToolchain();

const counts = await check();
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failures = counts.flatMap((count) => count.failures);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** @returns {Promise<{ passed: number, failures: string[] }[]>} */
async function check() {
  if (suite === 'matrix') return [await runTests(toolchain, { suite })];
  if (suite === 'quick') {
    return [await runGates(toolchain, { quick: true }), await runTests(toolchain, { suite })];
  }
  // In parallel: neither reads the other's output.
  const [gates, built] = await Promise.all([runGates(toolchain, { quick: false }), buildApp(toolchain)]);
  const build = built ? { passed: 1, failures: [] } : { passed: 0, failures: ['app build'] };
  const isPacked = !gates.failures.includes('library build');
  return [gates, build, await runTests(toolchain, { suite, ...(isPacked && { packed }) })];
}
