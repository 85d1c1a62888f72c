import { Conflict } from '../../log/conflict.ts';
import type { Run } from '../run.ts';

/**
 * Looks in the log if the lease has ended by this process's clocks: a process that was frozen may have lost the run. Call it
 * right before the model is called. Costs nothing while the lease lasts.
 *
 * @throws Conflict if another instance has the run
 * @source ADR 0013
 */
export async function ensureOwner({
  journal,
  check,
  stops,
  runId,
}: Pick<Run, 'journal' | 'check' | 'stops' | 'runId'>): Promise<void> {
  if (!journal.lease.isOver() || (await check.secure(stops.stepSignal))) return;
  throw new Conflict(`Run ${runId} has another owner.`);
}
