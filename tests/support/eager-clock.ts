import type { Clock } from 'countersign';
import { systemClock } from '../../lib/protocol/clock/system-clock.ts';

/** For how long a subscription waits for further changes before it looks for something to deliver. */
const quietMs = 250;

/** The machine's time, in which subscriptions look at once. */
export const eagerClock: Clock = {
  ...systemClock,
  after: (ms, callback) => systemClock.after(ms === quietMs ? 0 : ms, callback),
};
