import { Conflict } from '../../log/conflict.ts';
import type { Journal } from '../../log/journal.ts';
import type { RunId } from '../../protocol/index.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { RunStops } from '../stops/run-stops.ts';
import { keepLease } from './keep-lease.ts';

/** The parts of the engine that a heartbeat needs. */
type Parts = Pick<EngineParts, 'store' | 'clock' | 'logger'> & { readonly leaseMs: number };

/**
 * Renews the lease of a run, and stops the run when its lease is lost or a stop was requested on another instance.
 *
 * @param run.isClosing true while the instance releases its leases
 * @returns a function that ends the heartbeat
 */
export function beginHeartbeat(
  { store, clock, logger, leaseMs }: Parts,
  {
    journal,
    runId,
    stops,
    isClosing,
  }: {
    readonly journal: Journal;
    readonly runId: RunId;
    readonly stops: RunStops;
    readonly isClosing: () => boolean;
  },
): () => void {
  const chatId = journal.head.id;
  return keepLease({
    clock,
    logger,
    leaseMs,
    facts: { chatId, runId },
    isDue() {
      // A lease that is being released must not be taken again.
      if (isClosing()) return 'ends';
      // The lease comes with the run's start. Before that is durable there is none to lose.
      return journal.head.runId === runId;
    },
    async look() {
      const [isOwner, stopRequested] = await Promise.all([
        journal.lease.renew(),
        store.runs.stopRequested(chatId, runId),
      ]);
      if (!isOwner) stops.stop(new Conflict(`Run ${runId} has another owner.`));
      else if (stopRequested) stops.stop();
    },
  });
}
