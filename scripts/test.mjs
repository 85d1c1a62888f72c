import { buildApp } from './build-app.mjs';
import { runGates } from './gates.mjs';
import { runTests } from './run-tests.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * `npm test`: installs what is missing, then checks everything. `--quick` (`npm run test:quick`) leaves out
 * what needs a build, a browser, a database server or patience. The last line is `N passed, N failed`: one for each test, one for
 * each gate.
 */
const quick = process.argv.includes('--quick');
const toolchain = await prepareToolchain();

const counts = [await runGates(toolchain, { quick })];
if (!quick) {
  const built = await buildApp(toolchain);
  counts.push({ passed: built ? 1 : 0, failed: built ? 0 : 1 });
}
counts.push(await runTests(toolchain, { quick }));

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
