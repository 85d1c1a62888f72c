import type { Clock } from '../../lib/protocol/index.ts';
import { systemClock } from '../../lib/server/system-clock.ts';

/** A clock whose time stands still while its timers run: two chats tell the same durations. */
export const stillClock: Clock = { ...systemClock, now: () => Date.UTC(2030, 0, 1) };
