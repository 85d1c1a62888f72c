import type { World } from '../../simulator/machine/world.ts';

/** The simulator's world in the time of this machine, for flows on real servers and stores. */
export function realWorld(): World {
  const began = Date.now();
  const trace: string[] = [];
  const elapsed = () => Date.now() - began;
  const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
  return {
    now: Date.now,
    elapsed,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    sleep,
    settle: () => sleep(0),
    use: (work) => work(),
    async runUntil(moment, isDone = () => false) {
      while (!isDone() && elapsed() < moment) await sleep(1);
    },
    note: (line) => void trace.push(line),
    trace,
    digest: () => trace.join('\n'),
  };
}
