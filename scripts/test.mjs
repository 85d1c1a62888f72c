import { gates, startGates } from './test/gates.mjs';
import { runTests } from './test/run-tests.mjs';
import { selectRun } from './test/select-run.mjs';
import { serveResults } from './test/serve-results.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * `npm test`: installs what is missing, then runs every gate and, at the same time, the tests. It ends with a line for each
 * failure, `failed: <what>`, and the command that runs only this test, and with `N passed, N failed`: one for each test, one for
 * each gate.
 *
 * `--quick` (`npm run test:quick`) omits whatever needs a build, a browser, a database server or a lot of time.
 * `--matrix` (`npm run test:matrix`) runs only the rows of long tables that `npm test` omits, and no gate.
 * `--changed` or `--changed=<revision>` runs only the tests and the gates that the files that differ from HEAD or from a revision
 * can affect, and says why.
 * `--verbose` also prints what passing tests print.
 */
const toolchain = await prepareToolchain();
const { files, gateNames, isMatrix, lines } = selectRun(process.argv.slice(2));
for (const line of lines) console.log(line);

const results = startGates(
  toolchain,
  gates.filter(({ name }) => gateNames.includes(name)),
);
const server = await serveResults(results);
const isVerbose = process.argv.includes('--verbose');
const tests = await runTests(toolchain, { files, isMatrix, isVerbose, gates: server.url });
const failures = [...tests.failures];
for (const [name, result] of results) if (!(await result)) failures.push({ text: name });
server.close();

for (const { text, command } of failures) {
  console.log(`failed: ${text}`);
  if (command !== undefined) console.log(`        ${command}`);
}
const passedGates = results.size - (failures.length - tests.failures.length);
console.log(`${tests.passed + passedGates} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
