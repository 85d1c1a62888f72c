import type { FakeClock } from 'countersign/testing';
import { untilIdle } from './until-idle.ts';
import { waitFor } from './wait-for.ts';

/** In the time of a fake clock: what has not settled by then never does. */
const hangMs = 3_600_000;

/**
 * Advances a fake clock in steps of this many milliseconds. After each step, everything that waited for it runs until the
 * process is idle, and so sets its next timers in time.
 */
export async function passTime(clock: FakeClock, ms: number, stepMs = 2): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    clock.advance(stepMs);
    await untilIdle();
  }
}

/** Advances a fake clock until a promise has settled. @throws Error if it does not within an hour of the clock */
export async function passTimeUntil<Result>(
  clock: FakeClock,
  settled: Promise<Result>,
  { stepMs = 10 }: { readonly stepMs?: number } = {},
): Promise<Result> {
  let isSettled = false;
  const mark = () => {
    isSettled = true;
  };
  settled.then(mark, mark);
  for (let passed = 0; passed < hangMs && !isSettled; passed += stepMs) await passTime(clock, stepMs, stepMs);
  if (!isSettled) throw new Error(`Nothing settled within ${hangMs} ms of the fake clock.`);
  return settled;
}

/** Advances a fake clock by this many milliseconds, and again until a check no longer throws. */
export function passTimeToPass(clock: FakeClock, stepMs: number, check: () => unknown): Promise<void> {
  return waitFor(async () => {
    await passTime(clock, stepMs, stepMs);
    await check();
  });
}
