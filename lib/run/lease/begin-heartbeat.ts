import { delayAfter, isTransient } from '../../log/backoff.ts';
import { Conflict } from '../../log/conflict.ts';
import type { Journal } from '../../log/journal.ts';
import { errorFacts, type RunId } from '../../protocol/index.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { RunStops } from '../stops/run-stops.ts';

type Parts = Pick<EngineParts, 'store' | 'clock' | 'logger'> & { readonly leaseMs: number };

/** @param isClosing true while the instance releases its leases */
type Beating = {
  readonly journal: Journal;
  readonly runId: RunId;
  readonly stops: RunStops;
  readonly isClosing: () => boolean;
};

/**
 * Renews a lease three times per term, and stops the run if it is lost or asked to stop.
 *
 * @returns ends it
 * @source ADR 0013
 */
export function beginHeartbeat(
  { store, clock, logger, leaseMs }: Parts,
  { journal, runId, stops, isClosing }: Beating,
): () => void {
  const chatId = journal.head.id;
  let failures = 0;
  let ended = false;
  let cancel = clock.after(leaseMs / 3, beat);

  function beat(): void {
    // A lease that is being released must not be taken again.
    if (isClosing()) return;
    cancel = clock.after(leaseMs / 3, beat);
    // The lease comes with the run's start. Before that is durable there is none to lose.
    if (journal.head.runId === runId) look().catch(failed);
  }

  async function look(): Promise<void> {
    const [isOwner, stopRequested] = await Promise.all([
      journal.lease.renew(),
      store.runs.stopRequested(chatId, runId),
    ]);
    failures = 0;
    if (!isOwner) stops.stop(new Conflict(`Run ${runId} has another owner.`));
    else if (stopRequested) stops.stop();
  }

  function failed(error: unknown): void {
    failures += 1;
    logger.warn('A lease could not be renewed.', { chatId, runId, error: errorFacts(error) });
    if (ended || !isTransient(error)) return;
    cancel();
    cancel = clock.after(Math.min(delayAfter(failures), leaseMs / 3), beat);
  }

  return () => {
    ended = true;
    cancel();
  };
}
