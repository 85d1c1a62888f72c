import { systemClock } from '../../lib/protocol/clock/system-clock.ts';
import type { Clock } from '../../lib/protocol/index.ts';

/** A clock whose time stands still while its timers run, so that two chats have equal durations. */
export const stoppedClock: Clock = {
  ...systemClock,
  now: () => Date.UTC(2030, 0, 1),
  monotonic: () => 0,
};
