import { gates, startGates } from './test/gates.mjs';
import { runTests } from './test/run-tests.mjs';
import { serveResults } from './test/serve-results.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * `npm test`: installs what is missing, then runs every gate and, at the same time, the tests. It ends with a line for each
 * failure, `failed: <what>`, and with `N passed, N failed`: one for each test, one for each gate.
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

const due = suite === 'matrix' ? [] : gates.filter(({ quick }) => quick || suite === 'main');
const results = startGates(toolchain, due);
const server = await serveResults(results);
const tests = await runTests(toolchain, { suite, gates: server.url });
const failedGates = [];
for (const [name, result] of results) if (!(await result)) failedGates.push(name);
server.close();

const failures = [...failedGates, ...tests.failures];
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${tests.passed + results.size - failedGates.length} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
