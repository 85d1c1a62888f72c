import { expect, it } from 'vitest';
import type { FlowClock } from '../../lib/log/flow-clock.ts';
import { createRunLease } from '../../lib/log/run-lease.ts';

const leaseMs = 1_000;

/** A lease that was taken at the time 0 of both clocks. */
function takenLease() {
  const times = { wall: 0, steady: 0 };
  const clock: FlowClock = {
    now: () => times.wall,
    known: () => times.wall,
    sure: async () => times.wall,
    monotonic: () => times.steady,
    aheadMs: () => 0,
    after: () => () => {},
  };
  const lease = createRunLease({ clock, leaseMs, renewUntil: async () => true });
  lease.taken(lease.moment());
  return { lease, times };
}

it.each([
  ['as long as both clocks say that it lasts', { wall: 500, steady: 500 }, true],
  ['not when the time was set back and the process was frozen', { wall: -60_000, steady: 2_000 }, false],
  ['not when the time was set forward', { wall: 60_000, steady: 100 }, false],
  ['not in its last fifth', { wall: 850, steady: 850 }, false],
])('a lease is sure %s', (_when, now, isSure) => {
  const { lease, times } = takenLease();
  Object.assign(times, now);
  expect(lease.isSure()).toBe(isSure);
});
