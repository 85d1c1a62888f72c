import type { Counted } from '../../flow/plugin/http.ts';
import { CountersignError, type Principal } from '../../protocol/index.ts';
import { checkSettings, wholeNumber } from '../../protocol/settings.ts';

/** @see createConcurrencyLimit */
export type ConcurrencyLimit = {
  /**
   * Acquires a slot for this principal.
   *
   * @returns releases the slot; further calls have no effect
   * @throws CountersignError `rate-limited`, with `retryAfterMs`, if all slots are in use
   */
  acquire(counted: Counted, principal: Principal): () => void;
};

/** The maximum per principal, for each kind at least 1. */
export type ConcurrencySettings = Readonly<Partial<Record<Counted, number>>>;

const defaults: Readonly<Record<Counted, number>> = { feeds: 100, sockets: 100, requests: 100 };

const checks = { feeds: wholeNumber(1), sockets: wholeNumber(1), requests: wholeNumber(1) };

const words: Readonly<Record<Counted, string>> = {
  feeds: 'feeds are open. Close one',
  sockets: 'sockets are open. Close one',
  requests: 'requests are in progress. Wait until one has ended',
};

/** The wait before a retry. A slot may become free at any moment. */
const retryAfterMs = 1_000;

/**
 * Limits what each principal may have open at the same time. Pass one limit to all server halves, so that they
 * count together; a server half without one creates its own with the defaults. It counts in memory, so each
 * instance has its own limit. It is independent of the rate limit.
 *
 * @param settings default: 100 feeds, 100 sockets and 100 requests in progress
 * @throws CountersignError `invalid-settings`
 * @source ADR 0012
 */
export function createConcurrencyLimit(settings: ConcurrencySettings = {}): ConcurrencyLimit {
  checkSettings('createConcurrencyLimit', settings, checks);
  const counts: Readonly<Record<Counted, Map<string, number>>> = {
    feeds: new Map(),
    sockets: new Map(),
    requests: new Map(),
  };

  return {
    acquire(counted, { id }) {
      const most = settings[counted] ?? defaults[counted];
      const taken = counts[counted];
      const before = taken.get(id) ?? 0;
      if (before >= most) {
        const message = `${most} of your ${words[counted]}, then try again.`;
        throw new CountersignError('rate-limited', message, { retryAfterMs });
      }
      taken.set(id, before + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const left = (taken.get(id) ?? 0) - 1;
        if (left > 0) taken.set(id, left);
        else taken.delete(id);
      };
    },
  };
}

/** Adds a limit to the settings of a server half that has none, so that its endpoints count together. */
export function withConcurrencyLimit<Settings extends { readonly concurrencyLimit?: ConcurrencyLimit }>(
  settings: Settings,
): Settings & { readonly concurrencyLimit: ConcurrencyLimit } {
  return { ...settings, concurrencyLimit: settings.concurrencyLimit ?? createConcurrencyLimit() };
}
