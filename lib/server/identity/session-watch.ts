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
  const watched = new Set<() => void>();
  let cancel: (() => void) | undefined;

  function beat(): void {
    cancel = clock.after(sessionCheckMs, beat);
    for (const check of [...watched]) check();
  }

  return (request, onEnd) => {
    let isChecking = false;
    let isUnknown = false;

    // Framework functions in `authorize` may depend on the request's async context.
    const check = runtime.inThisContext(() => {
      if (isChecking) return;
      isChecking = true;
      void hasEnded().then((ended) => {
        isChecking = false;
        if (ended && stop()) onEnd();
      });
    });

    async function hasEnded(): Promise<boolean> {
      try {
        const principal = await principalOf(settings, request);
        isUnknown = false;
        return principal === null;
      } catch (error) {
        if (isSessionEnd(error)) return true;
        if (!isUnknown) logger?.error('A session could not be checked.', { error: errorFacts(error) });
        isUnknown = true;
        return false;
      }
    }

    function stop(): boolean {
      const wasWatched = watched.delete(check);
      if (watched.size === 0) {
        cancel?.();
        cancel = undefined;
      }
      return wasWatched;
    }

    watched.add(check);
    cancel ??= clock.after(sessionCheckMs, beat);
    return stop;
  };
}

/** Whether a refusal means that nobody is signed in. */
export function isSessionEnd(error: unknown): boolean {
  return CountersignError.is(error) && error.code === 'unauthenticated';
}
