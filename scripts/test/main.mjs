import { gates, startGates } from './gates.mjs';
import { runTests } from './run-tests.mjs';
import { selectRun } from './select-run.mjs';
import { serveResults } from './serve-results.mjs';

// The program behind `scripts/test.mjs`, on the project's own Node. Its environment is passed on to all that it starts.
const toolchain = { node: process.execPath, env: {} };
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
