import { run } from './run.mjs';

/** The checks that run before the tests: a name for people, and the program. */
const gates = [
  { name: 'types', program: 'node_modules/typescript/bin/tsc', args: ['--noEmit'], quick: true },
  { name: 'lint', program: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '.'], quick: true },
  {
    name: 'imports',
    program: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['lib', 'app', 'tests', 'server.ts'],
    quick: true,
  },
  { name: 'protocol', program: 'scripts/protocol-tests.mjs', args: ['--check'], quick: true },
  { name: 'compatibility', program: 'scripts/compatibility.mjs', args: ['--check'], quick: true },
  { name: 'snippets', program: 'scripts/snippets.mjs', args: [], quick: false },
  { name: 'API reference', program: 'scripts/api-reference.mjs', args: ['--check'], quick: false },
  { name: 'unused', program: 'node_modules/knip/bin/knip.js', args: [], quick: false },
  {
    name: 'library build',
    program: 'node_modules/typescript/bin/tsc',
    args: ['--project', 'tsconfig.build.json'],
    quick: false,
  },
];

/**
 * Runs every gate, even after one has failed, so that one run reports all failures.
 *
 * @param {{ node: string, env: Record<string, string> }} toolchain
 * @param {{ quick: boolean }} options `quick` skips the slow ones
 * @returns {Promise<{ passed: number, failures: string[] }>} the names of the failed gates
 */
export async function runGates({ node, env }, { quick }) {
  const failures = [];
  let passed = 0;
  for (const gate of gates.filter((gate) => gate.quick || !quick)) {
    const start = performance.now();
    const { code, output } = await run(node, [gate.program, ...gate.args], {
      env,
      quiet: true,
    });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${gate.name} (${seconds} s)`);
    if (code === 0) {
      passed += 1;
      continue;
    }
    console.log(output.trimEnd());
    failures.push(gate.name);
  }
  return { passed, failures };
}
