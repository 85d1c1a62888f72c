import { CountersignError, type Principal } from '../../protocol/index.ts';
import { checkSettings, wholeNumber } from '../../protocol/settings.ts';

/**
 * What is counted: open feeds of questions, open WebSockets, and requests in progress, which are HTTP requests until
 * their response has ended, and requests on a socket until their stream has.
 */
export type Counted = 'feeds' | 'sockets' | 'requests';

/** @see createConcurrencyLimit */
export type ConcurrencyLimit = {
  /**
   * Takes a place for this principal.
   *
   * @returns gives the place back; calling it again changes nothing
   * @throws CountersignError `rate-limited`, with `retryAfterMs`, when all places are taken
   */
  acquire(counted: Counted, principal: Principal): () => void;
};

/** The most that one principal may have at once; each of 1 or more. */
export type ConcurrencySettings = Readonly<Partial<Record<Counted, number>>>;

const defaults: Readonly<Record<Counted, number>> = { feeds: 100, sockets: 100, requests: 100 };

const checks = { feeds: wholeNumber(1), sockets: wholeNumber(1), requests: wholeNumber(1) };

const words: Readonly<Record<Counted, string>> = {
  feeds: 'feeds are open. Close one',
  sockets: 'sockets are open. Close one',
  requests: 'requests are in progress. Wait until one has ended',
};

/** A place may become free at any moment. */
const retryAfterMs = 1_000;

/**
 * Limits what each principal has open at once. Give one to all server halves, so that they count together; a server
 * half that is given none makes its own with the default limits. It counts in memory, so each instance allows this
 * much. It does not depend on the rate limit.
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

/** The settings of a server half with a limit of its own, where none was given: its endpoints count together. */
export function withConcurrencyLimit<Settings extends { readonly concurrencyLimit?: ConcurrencyLimit }>(
  settings: Settings,
): Settings & { readonly concurrencyLimit: ConcurrencyLimit } {
  return { ...settings, concurrencyLimit: settings.concurrencyLimit ?? createConcurrencyLimit() };
}
