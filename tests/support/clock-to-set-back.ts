import type { Clock } from 'countersign';
import { type FakeClock, fakeClock } from 'countersign/testing';

/** A clock whose time of day is set back by an hour on `setBack`. Its timers and its monotonic time go on. */
export function clockToSetBack(): FakeClock & Required<Clock> & { setBack(): void } {
  const clock = fakeClock();
  let backMs = 0;
  return {
    ...clock,
    now: () => clock.now() - backMs,
    monotonic: clock.now,
    setBack: () => {
      backMs = 3_600_000;
    },
  };
}
