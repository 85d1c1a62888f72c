import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import found from './found-seeds.json' with { type: 'json' };
import type { SeedResult } from './run-seed.ts';

/** Seeds that once broke a promise, each with the reason. They are played first. */
export const foundSeeds: readonly { readonly seed: number; readonly reason: string }[] = found;

/** What a worker tells of one schedule. The trace comes with a broken promise only. */
export type Told = Pick<SeedResult, 'seed' | 'digest' | 'violations' | 'checked'> &
  Partial<Pick<SeedResult, 'trace'>>;

/** What many schedules came to. */
export type Summary = {
  readonly checked: Record<string, number>;
  readonly failures: Map<number, Told>;
  /** How many different traces there were. */
  readonly traces: number;
  /** Of all their digests, in the order of the seeds: equal however they were shared out. */
  readonly digest: string;
};

/** Plays the found seeds and then `count` seeds from `base` on, in processes of their own. */
export async function runSeeds({
  base,
  count,
  workers,
}: {
  readonly base: number;
  readonly count: number;
  readonly workers: number;
}): Promise<Summary> {
  const checked: Record<string, number> = {};
  const failures = new Map<number, Told>();
  const digests = new Map<number, string>();
  const seeds = [
    ...foundSeeds.map(({ seed }) => seed),
    ...Array.from({ length: count }, (_, index) => base + index),
  ];
  let next = 0;

  function take(told: Told): void {
    digests.set(told.seed, told.digest);
    for (const [name, times] of Object.entries(told.checked)) checked[name] = (checked[name] ?? 0) + times;
    if (told.violations.length > 0) failures.set(told.seed, told);
  }

  async function work(): Promise<void> {
    const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
      execArgv: ['-C', 'countersign-source', '--no-warnings'],
    });
    const ended = new Promise<number | null>((resolve) => worker.on('exit', resolve));
    const give = () => {
      const batch = seeds.slice(next, next + 20);
      next += batch.length;
      worker.send(batch);
    };
    worker.on('message', (message: Told | 'ready') => {
      if (message === 'ready') give();
      else take(message);
    });
    const code = await ended;
    if (code !== 0) throw new Error(`A worker of the simulator ended with code ${code}.`);
  }

  await Promise.all(Array.from({ length: workers }, work));
  const hash = createHash('sha256');
  for (const seed of seeds) hash.update(`${seed} ${digests.get(seed)}\n`);
  return { checked, failures, traces: new Set(digests.values()).size, digest: hash.digest('hex') };
}
