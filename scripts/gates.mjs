import { join } from 'node:path';
import { run } from './run.mjs';
import { root } from './toolchain.mjs';

/** Where the gate "library build" leaves the tarball of the library. */
export const packed = join(root, 'node_modules/.cache/countersign/packed');

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
    program: 'scripts/pack-library.mjs',
    args: [packed],
    quick: false,
  },
];

/**
 * Runs every gate, two at a time, even after one has failed, so that one run reports all failures. Most use one core.
 *
 * @param {{ node: string, env: Record<string, string> }} toolchain
 * @param {{ quick: boolean }} options `quick` skips the slow ones
 * @returns {Promise<{ passed: number, failures: string[] }>} the names of the failed gates
 */
export async function runGates({ node, env }, { quick }) {
  const failures = [];
  const due = gates.filter((gate) => gate.quick || !quick);
  let passed = 0;

  async function work() {
    for (let gate = due.shift(); gate; gate = due.shift()) {
      if (await passes(gate, { node, env })) passed += 1;
      else failures.push(gate.name);
    }
  }

  await Promise.all([work(), work()]);
  return { passed, failures };
}

/** Runs a gate and prints its result, and after a failure its output. */
async function passes({ name, program, args }, { node, env }) {
  const start = performance.now();
  const { code, output } = await run(node, [program, ...args], { env, quiet: true });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
