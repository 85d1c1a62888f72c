import { LRUCache } from 'lru-cache';
import { steadyTime } from '../protocol/clock/clock.ts';
import { systemClock } from '../protocol/clock/system-clock.ts';
import { type Clock, CountersignError, type Principal } from '../protocol/index.ts';
import { checkSettings, number, port } from '../protocol/settings.ts';

/** @see createRateLimit */
export type RateLimit = {
  /** Counts one request. @throws CountersignError `rate-limited`, with `retryAfterMs` */
  take(principal: Principal): void;
};

/** The maximum number of principals in memory. Beyond it, those that have been idle longest are forgotten. */
const maxBuckets = 10_000;

/**
 * A token bucket per principal: it holds the requests of one minute and refills evenly. Pass one to all
 * handlers, so that they count together. A clock that goes back causes no delay.
 *
 * @param settings.perMinute 0 disables the limit
 * @throws CountersignError `invalid-settings`
 * @source H-Configuration, H-Errors
 */
export function createRateLimit(settings: {
  perMinute: number;
  clock?: Pick<Clock, 'now' | 'monotonic'>;
}): RateLimit {
  const checks = { perMinute: number(0, Number.MAX_VALUE), clock: port('now') };
  checkSettings('createRateLimit', settings, checks, ['perMinute']);
  const { perMinute, clock = systemClock } = settings;
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: maxBuckets });
  const msPerToken = 60_000 / perMinute;

  return {
    take({ id }) {
      if (perMinute <= 0) return;
      const now = steadyTime(clock);
      const bucket = buckets.get(id) ?? { tokens: perMinute, at: now };
      const tokens = Math.min(perMinute, bucket.tokens + Math.max(0, now - bucket.at) / msPerToken);
      buckets.set(id, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
      if (tokens >= 1) return;
      const retryAfterMs = Math.ceil((1 - tokens) * msPerToken);
      throw new CountersignError(
        'rate-limited',
        `More than ${perMinute} requests in one minute. Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`,
        { retryAfterMs },
      );
    },
  };
}
