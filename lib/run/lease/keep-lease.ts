import { delayAfter, isTransient } from '../../log/backoff.ts';
import { type Clock, errorFacts, type Logger } from '../../protocol/index.ts';

/**
 * Renews a run's lease three times per lease, and looks for stops that another instance asked for. While the store fails
 * transiently, it retries sooner, with backoff.
 *
 * @param look renews and looks once
 * @param isDue called before each check; false skips it, `'ends'` ends the heartbeat
 * @param facts of the run, for the log
 * @returns a function that ends it
 * @source ADR 0013
 */
export function keepLease({
  clock,
  logger,
  leaseMs,
  look,
  isDue,
  facts,
}: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
  readonly look: () => Promise<void>;
  readonly isDue: () => boolean | 'ends';
  readonly facts: Readonly<Record<string, unknown>>;
}): () => void {
  let failures = 0;
  let ended = false;
  let cancel = clock.after(leaseMs / 3, beat);

  function beat(): void {
    const due = isDue();
    if (due === 'ends') return;
    cancel = clock.after(leaseMs / 3, beat);
    if (due) look().then(succeeded, failed);
  }

  function succeeded(): void {
    failures = 0;
  }

  function failed(error: unknown): void {
    failures += 1;
    logger.warn('A lease could not be renewed.', { ...facts, error: errorFacts(error) });
    if (ended || !isTransient(error)) return;
    cancel();
    cancel = clock.after(Math.min(delayAfter(failures), leaseMs / 3), beat);
  }

  return () => {
    ended = true;
    cancel();
  };
}
