import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import type { FakeClock } from 'countersign/testing';

/** Advances a fake clock in steps of this many milliseconds, so that everything that waits for it can run. */
export async function passTime(clock: FakeClock, ms: number, stepMs = 2): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    clock.advance(stepMs);
    await turnOfEventLoop();
  }
}

/** Advances a fake clock until a promise has settled, at most for `limitMs`. @throws Error if it takes longer */
export async function passTimeUntil<Result>(
  clock: FakeClock,
  settled: Promise<Result>,
  { limitMs = 60_000, stepMs = 10 }: { readonly limitMs?: number; readonly stepMs?: number } = {},
): Promise<Result> {
  let isSettled = false;
  const mark = () => {
    isSettled = true;
  };
  settled.then(mark, mark);
  for (let passed = 0; passed < limitMs && !isSettled; passed += stepMs) {
    await passTime(clock, stepMs, stepMs);
  }
  if (!isSettled) throw new Error(`Nothing settled within ${limitMs} ms.`);
  return settled;
}
