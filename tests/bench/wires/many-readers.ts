import { type Distribution, median } from '../support/distribution.ts';
import { inTurns } from '../support/in-turns.ts';
import { ratiosTo, type Spread } from '../support/spread.ts';
import { startWorker, type WorkerProcess } from '../support/worker-process.ts';
import { closeWires, type OpenWire, openWires } from './open-wires.ts';
import type { Said, Speech } from './server/wire-model.ts';
import type { BegunTurn } from './wires.ts';

/** Frames to many readers of one chat, over one wire. Medians of the rounds. */
export type ManyReaders = {
  readonly wire: string;
  readonly readers: number;
  /** The rate at which the model spoke, of the rate that was wanted. */
  readonly rateReached: number;
  /** CPU of the server, in seconds for each second. */
  readonly cpuPerSecond: number;
  /** CPU of the server for each frame at each reader, in microseconds. */
  readonly cpuMicrosEach: number;
  /** The same, as ratios to the UI stream. */
  readonly cpuRatio: Spread;
  /** From the time at which a frame was due to its receipt by a reader, in milliseconds. */
  readonly delay: Pick<Distribution, 'median' | 'p99'>;
  readonly p99Ratio: Spread;
};

type Round = Pick<ManyReaders, 'rateReached' | 'cpuPerSecond' | 'cpuMicrosEach' | 'delay'>;

/** Frames of a turn in each second. */
const perSecond = 100;

/**
 * Turns that many read at the same time. The model speaks at a fixed rate and waits for nobody, and every reader must get
 * each frame once and in order.
 *
 * @throws Error if one does not
 */
export async function manyReaders(options: {
  readonly crowds: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
}): Promise<ManyReaders[]> {
  const { crowds, seconds, rounds } = options;
  const speech: Speech = { fillBytes: 0, ticks: seconds * perSecond, perSecond };
  const readers = startWorker('workers/wire-readers.ts');
  const rows: ManyReaders[] = [];
  const wires = await openWires<Round>();
  for (const count of crowds) {
    for (const wire of inTurns(wires, rounds + 1))
      wire.rounds.push(await round(wire, readers, count, speech));
    rows.push(...wires.map((wire) => rowOf(wire, wires[0]?.rounds.slice(1) ?? [], count)));
    for (const wire of wires) wire.rounds.length = 0;
  }
  await readers.stop();
  await closeWires(wires);
  return rows;
}

async function round(
  { server, url, reading }: OpenWire<Round>,
  readers: WorkerProcess,
  count: number,
  speech: Speech,
): Promise<Round> {
  const turn = await server.ask<BegunTurn>('speak', speech);
  await readers.ask('connect', url, reading(turn), count, speech);
  await server.ask('fill');
  await readers.ask('reached', 0);
  const before = await server.ask<number>('cpu');
  await server.ask('ticks');
  const { firstDueAt, lastAt } = await server.ask<Said>('said');
  await readers.ask('reached', speech.ticks);
  const cpuMs = (await server.ask<number>('cpu')) - before;
  const delay = await readers.ask<Distribution>('delays', firstDueAt, speech);
  await readers.ask('leave');
  await server.ask('end');
  const seconds = speech.ticks / speech.perSecond;
  return {
    // The last frame is due one interval before the end of its second.
    rateReached: Math.min(1, (seconds - 1 / speech.perSecond) / ((lastAt - firstDueAt) / 1_000)),
    cpuPerSecond: cpuMs / 1_000 / seconds,
    cpuMicrosEach: (cpuMs * 1_000) / (speech.ticks * count),
    delay,
  };
}

function rowOf(
  { name, rounds: [, ...rounds] }: OpenWire<Round>,
  base: readonly Round[],
  readers: number,
): ManyReaders {
  const cpu = (round: Round) => round.cpuMicrosEach;
  const p99 = (round: Round) => round.delay.p99;
  return {
    ...{ wire: name, readers },
    rateReached: median(rounds.map(({ rateReached }) => rateReached)),
    cpuPerSecond: median(rounds.map(({ cpuPerSecond }) => cpuPerSecond)),
    cpuMicrosEach: median(rounds.map(cpu)),
    cpuRatio: ratiosTo(base.map(cpu), rounds.map(cpu)),
    delay: { median: median(rounds.map(({ delay }) => delay.median)), p99: median(rounds.map(p99)) },
    p99Ratio: ratiosTo(base.map(p99), rounds.map(p99)),
  };
}
