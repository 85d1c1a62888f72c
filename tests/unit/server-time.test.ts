import { describe, expect, it } from 'vitest';
import { createServerTime } from '../../lib/stores/postgres/connection/server-time.ts';

const minute = 60_000;

/** A server and this process, each with its own clocks, at a time that the test controls. */
function world({ serverAheadMs = 600_000 } = {}) {
  let moment = 0;
  let ahead = serverAheadMs;
  let asked = 0;
  const start = Date.UTC(2030, 0, 1);
  let suspendedMs = 0;
  const time = createServerTime({ steady: () => moment, wall: () => start + moment + suspendedMs });
  /** One round trip. The server reads its clock when the request has arrived. */
  const trip = (thereMs: number, backMs: number) => async () => {
    asked += 1;
    moment += thereMs;
    const now = start + ahead + moment + suspendedMs;
    moment += backMs;
    return now;
  };
  return {
    time,
    trip,
    asked: () => asked,
    pass: (ms: number) => {
      moment += ms;
    },
    /** The machine is suspended: its monotonic clock stands still. */
    suspend: (ms: number) => {
      suspendedMs += ms;
    },
    setServer: (aheadMs: number) => {
      ahead = aheadMs;
    },
    /** The difference between the estimate and the server's clock. */
    error: () => {
      const now = time.now();
      return now === undefined ? undefined : now - (start + ahead + moment + suspendedMs);
    },
  };
}

describe('the estimate of a server’s clock', () => {
  it('is off by at most half the shortest round trip', async () => {
    const { time, trip, error, pass } = world();
    for (const [there, back] of [
      [300, 20],
      [4, 2],
      [10, 200],
    ] as const) {
      await time.look(trip(there, back));
      pass(5);
    }
    expect(error()).toBe(1);
  });

  it('is unknown before the first reading, costs nothing afterwards, and is requested once when needed', async () => {
    const { time, trip, asked, error } = world();
    expect(time.now()).toBeUndefined();
    await Promise.all([time.measure(trip(1, 1)), time.measure(trip(1, 1)), time.measure(trip(1, 1))]);
    expect({ error: error(), asked: asked() }).toEqual({ error: 0, asked: 4 });
    await time.measure(trip(1, 1));
    expect(asked()).toBe(4);
  });

  it.each([
    ['its last measurement was a minute ago', { pass: minute + 1, suspend: 0 }],
    ['this machine was suspended', { pass: 0, suspend: 10 * minute }],
    ["this machine's clock was set back", { pass: 0, suspend: -10 * minute }],
  ])('is unknown when %s, until it is measured', async (_, { pass, suspend }) => {
    const machine = world();
    await machine.time.measure(machine.trip(1, 1));
    machine.pass(pass);
    machine.suspend(suspend);
    expect(machine.time.now()).toBeUndefined();
    await machine.time.measure(machine.trip(1, 1));
    expect(machine.error()).toBe(0);
  });

  it('follows a server whose clock was set, or a server that replaced another', async () => {
    const { time, trip, setServer, error } = world();
    await time.measure(trip(1, 1));
    for (const ahead of [0, 1_200_000]) {
      setServer(ahead);
      await time.look(trip(50, 50));
      expect(error()).toBe(0);
    }
  });

  it('waits during a correction backwards, so that its times are in order', async () => {
    const { time, trip, setServer, pass, error } = world();
    await time.measure(trip(1, 1));
    const before = time.now();
    setServer(600_000 - 100);
    await time.look(trip(1, 1));
    expect(time.now()).toBe(before);
    pass(200);
    expect(error()).toBe(0);
  });

  it('rejects a reading that took too long, and says that it may be requested again', async () => {
    const { time, trip } = world();
    await expect(time.measure(trip(1_500, 1_500))).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(time.now()).toBeUndefined();
    await time.measure(trip(1, 1));
    expect(time.now()).toBeDefined();
  });

  it('is unknown if the server cannot be asked', async () => {
    const { time, trip } = world();
    const failure = new Error('Connection terminated');
    await expect(time.measure(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(time.now()).toBeUndefined();
    await time.measure(trip(1, 1));
  });
});
