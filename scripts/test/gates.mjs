import { run } from '../run.mjs';

/**
 * The checks of `npm test` that are programs of their own: a name for people, the program, and whether `npm run test:quick`
 * runs it, too. The tests wait for the first two: they come first.
 */
export const gates = [
  { name: 'library build', program: 'scripts/pack-library.mjs', args: [], quick: false },
  { name: 'app build', program: 'scripts/build.mjs', args: [], quick: false },
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
];

/**
 * Starts gates, one after the other, even after one has failed, so that one run reports all failures. The tests run at the
 * same time: together they keep two cores busy, and two gates at a time would only slow down the tests.
 *
 * @param {{ node: string, env: Record<string, string> }} toolchain
 * @param {readonly (typeof gates)[number][]} due
 * @returns {Map<string, Promise<boolean>>} by name: whether it passed. None of them rejects
 */
export function startGates(toolchain, due) {
  const results = new Map();
  let previous = Promise.resolve(true);
  for (const gate of due) {
    previous = previous.then(() => passes(gate, toolchain));
    results.set(gate.name, previous);
  }
  return results;
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
