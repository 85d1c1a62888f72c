import { backoff } from '../../../protocol/clock/backoff.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/**
 * Milliseconds. Shortened at random, so that many pages do not reconnect to a restarted server at the same
 * moment.
 *
 * @param attempt attempts that failed in a row before; less than 0 after a connection
 * @param lastedMs how long the feed lasted that the server ended; it counts as part of the delay
 */
export function delayBefore(attempt: number, lastedMs: number): number {
  if (attempt < 0) return Math.max(0, firstDelayMs - lastedMs);
  const longest = backoff(attempt + 1, firstDelayMs, longestDelayMs);
  const [part = 0] = crypto.getRandomValues(new Uint8Array(1));
  return attempt === 0 ? longest : longest * (1 - part / 1024);
}

/** Waits, but ends immediately when the network is back, the page becomes visible, or `retry` is called. */
export function sleepUntilRetry(ms: number, signal: AbortSignal) {
  const listening = new AbortController();
  const listen = { signal: listening.signal };
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, listen);
  globalThis.window?.addEventListener('online', end, listen);
  globalThis.document?.addEventListener('visibilitychange', () => isHidden() || end(), listen);
  const ended = over.finally(() => {
    clearTimeout(timer);
    listening.abort();
  });
  return { retryAt: Date.now() + ms, retry: end, ended };
}

/** Whether the page is in a tab that the person does not see. */
export function isHidden(): boolean {
  return globalThis.document?.visibilityState === 'hidden';
}

/** Resolves when the person sees the page. */
export async function untilVisible(signal: AbortSignal): Promise<void> {
  while (isHidden() && !signal.aborted) {
    const seen = new AbortController();
    await new Promise<void>((resolve) => {
      const listen = { signal: seen.signal };
      document.addEventListener('visibilitychange', () => resolve(), listen);
      signal.addEventListener('abort', () => resolve(), listen);
    });
    seen.abort();
  }
}
