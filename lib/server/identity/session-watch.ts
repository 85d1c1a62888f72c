import { systemClock } from '../../protocol/clock/system-clock.ts';
import { CountersignError } from '../../protocol/errors/errors.ts';
import { type Clock, errorFacts, type Logger } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { Authorize } from './authorize.ts';
import { principalOf } from './principal-of.ts';

/** Milliseconds between two checks of the sessions of open streams and sockets. */
const defaultSessionCheckMs = 3_000;

/** Calls back once, when the session of this request has ended. Returns a function that ends the watch. */
export type WatchSession = (request: Request, onEnd: () => void) => () => void;

/**
 * Watches the sessions of open streams and sockets. Every `sessionCheckMs`, `authorize` is called again for the
 * request that opened each of them, for all at the same time, so that a registry can look them up in one query.
 * Messages in between cost nothing.
 *
 * If `authorize` throws an error other than `unauthenticated`, nothing is closed: the error is logged once, and
 * the next sweep retries.
 *
 * @source ADR 0012, H3
 */
export function createSessionWatch(settings: {
  readonly authorize: Authorize;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly sessionCheckMs?: number;
}): WatchSession {
  const { clock = systemClock, logger, sessionCheckMs = defaultSessionCheckMs } = settings;
  const watched = new Set<Watch>();
  let cancel: (() => void) | undefined;

  function beat(): void {
    cancel = clock.after(sessionCheckMs, beat);
    for (const { check } of [...watched]) check();
  }

  async function check(watch: Watch): Promise<void> {
    if (watch.isChecking) return;
    watch.isChecking = true;
    const ended = await hasEnded(watch);
    watch.isChecking = false;
    if (ended && stop(watch)) watch.onEnd();
  }

  async function hasEnded(watch: Watch): Promise<boolean> {
    try {
      const principal = await principalOf(settings, watch.request);
      watch.isUnknown = false;
      return principal === null;
    } catch (error) {
      if (isSessionEnd(error)) return true;
      if (!watch.isUnknown) logger?.error('A session could not be checked.', { error: errorFacts(error) });
      watch.isUnknown = true;
      return false;
    }
  }

  function stop(watch: Watch): boolean {
    const wasWatched = watched.delete(watch);
    if (watched.size === 0) {
      cancel?.();
      cancel = undefined;
    }
    return wasWatched;
  }

  return (request, onEnd) => {
    // Framework functions in `authorize` may depend on the request's async context.
    const inContext = runtime.inThisContext(() => void check(watch));
    const watch: Watch = { request, onEnd, check: inContext, isChecking: false, isUnknown: false };
    watched.add(watch);
    cancel ??= clock.after(sessionCheckMs, beat);
    return () => stop(watch);
  };
}

/** A request whose session is watched. */
type Watch = {
  readonly request: Request;
  readonly onEnd: () => void;
  readonly check: () => void;
  isChecking: boolean;
  /** Whether the last check failed. */
  isUnknown: boolean;
};

/** Whether a refusal means that nobody is signed in. */
export function isSessionEnd(error: unknown): boolean {
  return CountersignError.is(error) && error.code === 'unauthenticated';
}
