import type { Socket } from 'node:net';
import { sharedNow } from '../server/wire-model.ts';
import type { Reading } from '../wires.ts';
import { openRawReader } from './raw-reader.ts';
import { createTickReader } from './ticks.ts';

/** Connections that are made at the same time. */
const atOnce = 50;

const patienceMs = 60_000;

/** Readers of one turn, which note when each of its ticks came. */
export type TickCrowd = ReturnType<typeof createTickCrowd>;

/** @param ticks the number of the last tick; the first one is 0 */
export function createTickCrowd(ticks: number) {
  const sockets: Socket[] = [];
  /** When each tick came, of each reader. */
  const times: Float64Array[] = [];
  /** How many readers have each tick. */
  const counts = new Uint32Array(ticks + 1);
  let goal = { tick: ticks, reached: Promise.withResolvers<void>() };
  let fault: Error | undefined;

  function fail(error: Error): void {
    fault ??= error;
    goal.reached.reject(fault);
  }

  function openReader(url: string, reading: Reading): Promise<Socket> {
    const came = new Float64Array(ticks + 1);
    times.push(came);
    let next = 0;
    const read = createTickReader((tick) => {
      // Some wires repeat the text of a turn at its end.
      if (next > ticks) return;
      if (tick !== next) return fail(new Error(`${reading.path}: tick ${tick} came instead of ${next}.`));
      came[tick] = sharedNow();
      next += 1;
      const count = (counts[tick] ?? 0) + 1;
      counts[tick] = count;
      if (tick === goal.tick && count === sockets.length) goal.reached.resolve();
    });
    return openRawReader(url, reading, read);
  }

  return {
    /** Connects readers, and resolves when all are answered. */
    async connect(url: string, reading: Reading, count: number): Promise<void> {
      while (sockets.length < count) {
        const batch = Array.from({ length: Math.min(atOnce, count - sockets.length) }, () =>
          openReader(url, reading),
        );
        sockets.push(...(await Promise.all(batch)));
      }
    },

    /**
     * Resolves when every reader has every tick up to this one.
     *
     * @throws Error if a reader missed one, got one twice, or does not get it within a minute
     */
    async reached(tick: number): Promise<void> {
      goal = { tick, reached: Promise.withResolvers<void>() };
      if (fault) goal.reached.reject(fault);
      if (counts[tick] === sockets.length) goal.reached.resolve();
      const timer = setTimeout(
        () => fail(new Error(`${counts[tick]} of ${sockets.length} readers got tick ${tick} in time.`)),
        patienceMs,
      );
      await goal.reached.promise.finally(() => clearTimeout(timer));
    },

    pause: () => sockets.map((socket) => socket.pause()),
    resume: () => sockets.map((socket) => socket.resume()),

    /** @returns how long after their times the ticks came, of all readers, the first tick left out. Milliseconds */
    delays: (firstDueAt: number, perSecond: number): number[] =>
      times.flatMap((came) =>
        Array.from(came.subarray(1), (at, index) => at - firstDueAt - (index * 1_000) / perSecond),
      ),

    /** Disconnects. @param kept readers that stay */
    async leave(kept = 0): Promise<void> {
      times.splice(kept);
      const left = sockets.splice(kept);
      const closed = left.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of left) socket.destroy();
      await Promise.all(closed);
    },
  };
}
