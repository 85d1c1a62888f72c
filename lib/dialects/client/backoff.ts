import { backoff } from '../../protocol/clock/backoff.ts';
import { sleep } from '../../protocol/clock/sleep.ts';
import { DialectError } from './error.ts';

/** How often something is tried again in succession. */
const mostRetries = 10;

/** Milliseconds to wait after so many failures in succession; `undefined` to give up. The first retry is immediate. */
export function waitAfter(failures: number): number | undefined {
  if (failures > mostRetries) return undefined;
  return failures <= 1 ? 0 : backoff(failures - 1, 250, 8_000);
}

/** Something that may have to be done several times. */
export type Retrying = {
  readonly signal: AbortSignal;
  /** `again`: it came further, so earlier failures no longer count. `failed`: it came no further. */
  readonly act: () => Promise<'done' | 'again' | 'failed'>;
  /** Called before each wait. */
  readonly onWait: () => void;
  /** The error if it fails too often without one of its own. */
  readonly lost: () => DialectError;
};

/**
 * Retries with growing waits, at least as long as the server asks.
 *
 * @throws DialectError if it fails permanently or too often
 */
export async function retrying({ signal, act, onWait, lost }: Retrying): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const outcome = await act().catch((error: unknown) => {
      if (!signal.aborted && !isTransient(error)) throw error;
      return error;
    });
    if (outcome === 'done' || signal.aborted) return;
    failures = outcome === 'again' ? 1 : failures + 1;
    const error = outcome instanceof DialectError ? outcome : undefined;
    const waitMs = waitAfter(failures);
    if (waitMs === undefined) throw error ?? lost();
    onWait();
    await sleep(Math.max(waitMs, error?.retryAfterMs ?? 0), signal);
  }
}

/** Whether the same request may succeed later: the server is away, or asks to wait. */
function isTransient(error: unknown): boolean {
  return error instanceof DialectError && [0, 429, 502, 503, 504].includes(error.status);
}
