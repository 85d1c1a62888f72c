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

  /** One process after the other: one that says nothing for too long is killed, and the next goes on after its seed. */
  async function work(): Promise<void> {
    let due: number[] = [];
    const refill = () => {
      due = seeds.slice(next, next + 20);
      next += due.length;
    };
    refill();
    while (due.length > 0) {
      const stuck = await playInProcess(() => due, take, refill);
      if (stuck === undefined) return;
      take(endless(stuck));
      due = due.slice(due.indexOf(stuck) + 1);
      if (due.length === 0) refill();
    }
  }

  await Promise.all(Array.from({ length: workers }, work));
  const hash = createHash('sha256');
  for (const seed of seeds) hash.update(`${seed} ${digests.get(seed)}\n`);
  return { checked, failures, traces: new Set(digests.values()).size, digest: hash.digest('hex') };
}

/** Longer than any schedule takes, on a machine that is busy. Milliseconds. */
const longestMs = 60_000;

/** Plays what is due in a process. @returns the seed at which it had to be killed, if there was one */
async function playInProcess(
  due: () => readonly number[],
  take: (told: Told) => void,
  refill: () => void,
): Promise<number | undefined> {
  const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    execArgv: ['-C', 'countersign-source', '--no-warnings'],
  });
  const ended = new Promise<number | null>((resolve) => worker.on('exit', resolve));
  let played = 0;
  let isStuck = false;
  const watch = setTimeout(() => {
    isStuck = true;
    worker.kill('SIGKILL');
  }, longestMs);
  let isFirst = true;
  worker.on('message', (message: Told | 'ready') => {
    watch.refresh();
    if (message !== 'ready') {
      played += 1;
      take(message);
      return;
    }
    if (!isFirst) refill();
    isFirst = false;
    played = 0;
    worker.send(due());
  });
  const code = await ended;
  clearTimeout(watch);
  if (isStuck) return due()[played];
  if (code !== 0) throw new Error(`A worker of the simulator ended with code ${code}.`);
  return undefined;
}

function endless(seed: number): Told {
  const message = `No event for ${longestMs / 1_000} seconds of real time: something spins.`;
  return {
    seed,
    digest: '',
    checked: {},
    violations: [{ invariant: 'the schedule comes to its end', message }],
  };
}
