import { distributionOf } from '../support/distribution.ts';
import { offer } from '../support/worker-process.ts';
import { createTickCrowd, type TickCrowd } from '../wires/readers/tick-crowd.ts';
import type { Speech } from '../wires/server/wire-model.ts';
import type { Reading } from '../wires/wires.ts';

let reading: TickCrowd;
let stalled: TickCrowd;

/** The readers of one turn at a time, in one process: those that read, and those that stop. */
offer({
  /** Connects readers. */
  async connect(url: string, what: Reading, count: number, { ticks }: Speech): Promise<void> {
    reading = createTickCrowd(ticks);
    await reading.connect(url, what, count);
  },

  /** Connects readers that read nothing after they were answered. */
  async connectStalled(url: string, what: Reading, count: number, { ticks }: Speech): Promise<void> {
    stalled = createTickCrowd(ticks);
    await stalled.connect(url, what, count);
    stalled.pause();
  },

  /** Resolves when all that read have this tick, and all before it. */
  reached: (tick: number) => reading.reached(tick),

  delays: (firstDueAt: number, { perSecond }: Speech) =>
    distributionOf(reading.delays(firstDueAt, perSecond)),

  leave: () => reading.leave(),

  /** All that had stopped are disconnected, except one. */
  leaveStalled: () => stalled.leave(1),

  /** The one that had stopped reads on, to the last tick. */
  async readOn({ ticks }: Speech): Promise<void> {
    stalled.resume();
    await stalled.reached(ticks);
    await stalled.leave();
  },
});
