import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A broken promise. */
export type Finding = { readonly seed: number; readonly invariant: string; readonly message: string };

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** Seeds per process: enough to justify its start. */
const batch = 100;
/** Some bugs make a process loop forever. */
const longestMs = 900_000;

/**
 * Plays seeds in a separate process.
 *
 * @param plant the planted bug; without one the product is unchanged
 * @returns the first violation of each seed that has any; with a plant, of the first such seed
 * @throws Error with the output of the process if it fails
 */
export async function playSeeds(seeds: readonly number[], plant?: string): Promise<Finding[]> {
  const args = [`--seeds=${seeds.join(',')}`, ...(plant === undefined ? [] : [`--plant=${plant}`])];
  const child = spawn(process.execPath, ['--conditions=countersign-source', worker, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
  });
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (printed === '') throw new Error(`No result for ${plant ?? 'the seeds'}: ${complained}`);
  return JSON.parse(printed);
}

/**
 * Searches for a seed that reveals a planted bug: an invariant breaks with the bug, and none breaks without it.
 *
 * @param options.count the maximum number of seeds
 * @returns the finding, if any, and the number of seeds played
 */
export async function findPlant(
  plant: string,
  { base, count }: { readonly base: number; readonly count: number },
): Promise<{ readonly finding?: Finding; readonly played: number }> {
  let seed = base;
  while (seed < base + count) {
    const seeds = Array.from({ length: Math.min(batch, base + count - seed) }, (_, index) => seed + index);
    const [finding] = await playSeeds(seeds, plant);
    if (finding && (await playSeeds([finding.seed])).length === 0) {
      return { finding, played: finding.seed - base + 1 };
    }
    seed = finding ? finding.seed + 1 : seed + seeds.length;
  }
  return { played: count };
}
