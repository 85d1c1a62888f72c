import { Conflict } from '../../log/conflict.ts';
import type { Run } from '../run.ts';

/**
 * A frozen process may have lost its run. Reads the store only if the lease has expired here.
 *
 * @throws Conflict
 * @source ADR 0013
 */
export async function ensureOwner(parts: Pick<Run, 'journal' | 'check' | 'stops' | 'runId'>): Promise<void> {
  const { journal, check, stops, runId } = parts;
  if (!journal.lease.isOver() || (await check.secure(stops.stepSignal))) return;
  throw new Conflict(`Run ${runId} has another owner.`);
}
