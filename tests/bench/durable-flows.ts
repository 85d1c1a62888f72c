import { contestants } from './contestants/rows.ts';
import type { ContestantRow, Durable, FlowRate } from './support/contestant.ts';
import type { Correctness } from './support/correctness.ts';
import { median } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { startWorker, type WorkerProcess } from './support/worker-process.ts';

/** One row of the table: one contestant. */
export type DurableFlows = Pick<ContestantRow, 'name' | 'saves'> & {
  /** Median flows per second, by how many chats go on at once. */
  readonly perSecond: Readonly<Record<number, number>>;
  /** CPU a flow at 16 chats at once, in milliseconds: what is left of the cost when the disk is not looked at. */
  readonly cpuMsEach: number;
  /** Flows per second of each round, likewise. Everybody's first round was one, and so on. */
  readonly rounds: Readonly<Record<number, readonly number[]>>;
  /** Missing for the floor. */
  readonly correctness?: Correctness;
};

/** How many chats go on at once. */
export const concurrencies = [1, 16, 64] as const;

/**
 * Whole flows (message, question, answer, question, answer, final) per second, and what becomes of answers that come
 * twice, late or alone. By library calls: no transport is in it. Everybody is warm before the first round; contestants
 * take turns, and nobody runs beside another.
 *
 * @param options.durable of one response of ours: the floor has as much
 */
export async function durableFlows(options: {
  readonly connectionString: string;
  readonly rounds: number;
  readonly roundMs: number;
  readonly trials: number;
  readonly durable: Durable;
}): Promise<DurableFlows[]> {
  const { connectionString, rounds, roundMs, trials, durable } = options;
  const entrants = await Promise.all(
    contestants.map(async (row) => {
      const worker = startWorker('workers/contestant.ts');
      await worker.ask('open', row, durable, row.usesPostgres ? connectionString : undefined);
      return { row, worker };
    }),
  );
  const measured = new Map<WorkerProcess, Map<number, FlowRate[]>>();
  for (const { worker } of entrants) {
    await worker.ask('flows', 16, 2 * roundMs);
    measured.set(worker, new Map(concurrencies.map((concurrency) => [concurrency, []])));
  }
  for (const concurrency of concurrencies) {
    for (const { worker } of inTurns(entrants, rounds)) {
      const rate = await worker.ask<FlowRate>('flows', concurrency, roundMs);
      measured.get(worker)?.get(concurrency)?.push(rate);
    }
  }
  const rows: DurableFlows[] = [];
  for (const { row, worker } of entrants) {
    const correctness = row.isFloor ? undefined : await worker.ask<Correctness>('correctness', trials);
    const taken = measured.get(worker) ?? new Map<number, FlowRate[]>();
    const rates = [...taken].map(([at, values]) => [at, values.map(({ perSecond }) => perSecond)] as const);
    rows.push({
      name: row.name,
      saves: row.saves,
      perSecond: Object.fromEntries(rates.map(([at, values]) => [at, median(values)])),
      cpuMsEach: median((taken.get(16) ?? []).map(({ cpuMsEach }) => cpuMsEach)),
      rounds: Object.fromEntries(rates),
      correctness,
    });
    await worker.ask('close');
    await worker.stop();
  }
  return rows;
}
