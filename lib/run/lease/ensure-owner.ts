import { Conflict } from '../../log/conflict.ts';
import type { Run } from '../run.ts';

/**
 * Checks that this process still owns the run, before the model is called. A process that was frozen may have lost it. The store is
 * read only if the lease has expired by this process's clocks.
 *
 * @throws Conflict if another instance owns the run
 * @source ADR 0013
 */
export async function ensureOwner(parts: Pick<Run, 'journal' | 'check' | 'stops' | 'runId'>): Promise<void> {
  const { journal, check, stops, runId } = parts;
  if (!journal.lease.isOver() || (await check.secure(stops.stepSignal))) return;
  throw new Conflict(`Run ${runId} has another owner.`);
}
