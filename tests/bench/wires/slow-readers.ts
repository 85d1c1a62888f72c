import { type Distribution, median } from '../support/distribution.ts';
import { inTurns } from '../support/in-turns.ts';
import { ratiosTo, type Spread } from '../support/spread.ts';
import { startWorker, type WorkerProcess } from '../support/worker-process.ts';
import { closeWires, type OpenWire, openWires } from './open-wires.ts';
import type { Said, Speech } from './server/wire-model.ts';
import type { BegunTurn } from './wires.ts';

/** Readers of one chat of which half stop reading, over one wire. Medians of the rounds. */
export type SlowReaders = {
  readonly wire: string;
  readonly stalled: number;
  /** As many others read on. */
  readonly reading: number;
  /** Of the server, for each reader that stopped, in bytes. */
  readonly memoryEach: number;
  readonly memoryRatio: Spread;
  /** Of the others: from the time at which a frame was due to its receipt, in milliseconds. */
  readonly delay: Pick<Distribution, 'median' | 'p99'>;
  readonly p99Ratio: Spread;
};

type Round = Pick<SlowReaders, 'memoryEach' | 'delay'>;
type Heap = { readonly heap: number };

/** More than the system keeps for a connection that nobody reads: 4 MB on Linux. */
const fillBytes = 5 * 1_048_576;

const perSecond = 100;

/**
 * Turns of which half of the readers take nothing more: the turn has more text than the network's buffers take, then frames at
 * a fixed rate. What the stalled readers hold is the memory that is free once they have left.
 *
 * @throws Error if a reader misses a frame, or the last stalled one does not get all of them when it reads on
 */
export async function slowReaders(options: {
  readonly stalled: number;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<SlowReaders[]> {
  const { stalled, seconds, rounds } = options;
  const speech: Speech = { fillBytes, ticks: seconds * perSecond, perSecond };
  const readers = startWorker('workers/wire-readers.ts');
  const wires = await openWires<Round>();
  for (const wire of inTurns(wires, rounds)) {
    wire.rounds.push(await round(wire, readers, stalled, speech));
  }
  await readers.stop();
  await closeWires(wires);
  const base = wires[0]?.rounds ?? [];
  return wires.map((wire) => rowOf(wire, base, stalled));
}

async function round(
  { server, url, reading }: OpenWire<Round>,
  readers: WorkerProcess,
  stalled: number,
  speech: Speech,
): Promise<Round> {
  const turn = await server.ask<BegunTurn>('speak', speech);
  await readers.ask('connect', url, reading(turn), stalled, speech);
  await readers.ask('connectStalled', url, reading(turn), stalled, speech);
  await server.ask('fill');
  await readers.ask('reached', 0);
  await server.ask('ticks');
  const { firstDueAt } = await server.ask<Said>('said');
  await readers.ask('reached', speech.ticks);
  const delay = await readers.ask<Distribution>('delays', firstDueAt, speech);
  await readers.ask('leave');
  const { heap } = await server.ask<Heap>('heap');
  await readers.ask('leaveStalled');
  const after = await server.ask<Heap>('heap');
  await readers.ask('readOn', speech);
  await server.ask('end');
  return { memoryEach: (heap - after.heap) / (stalled - 1), delay };
}

function rowOf({ name, rounds }: OpenWire<Round>, base: readonly Round[], stalled: number): SlowReaders {
  const memory = ({ memoryEach }: Round) => memoryEach;
  const p99 = ({ delay }: Round) => delay.p99;
  return {
    ...{ wire: name, stalled, reading: stalled },
    memoryEach: Math.round(median(rounds.map(memory))),
    memoryRatio: ratiosTo(base.map(memory), rounds.map(memory)),
    delay: { median: median(rounds.map(({ delay }) => delay.median)), p99: median(rounds.map(p99)) },
    p99Ratio: ratiosTo(base.map(p99), rounds.map(p99)),
  };
}
