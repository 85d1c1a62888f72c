import { Conflict } from '../log/conflict.ts';
import { errorFacts } from '../protocol/index.ts';
import { closeTurn } from './close-turn.ts';
import { UnpreparedError } from './prepare-run.ts';
import type { Run } from './run.ts';
import { EmptyStepError } from './step/settle-step.ts';

/**
 * Ends a run that threw: as stopped, as failed, or, if this instance closes, without an end, so that another one takes it
 * over.
 *
 * @param closingOwner if the instance closes: the owner whose lease is given back
 * @throws Conflict
 */
export async function endEarly(run: Run, error: unknown, closingOwner: string | undefined): Promise<void> {
  const { journal, runId, chatId, stops, settings, clock, logger } = run;
  const { stopSignal } = stops;
  if (error instanceof Conflict) throw error;
  if (stopSignal.reason instanceof Conflict) throw stopSignal.reason;
  if (stopSignal.aborted) {
    const end = { type: 'run-cancelled', reason: 'stopped' } as const;
    return journal.commit(runId, ...closeTurn(journal.turn, 'cancelled'), end);
  }
  if (closingOwner !== undefined) {
    await journal.commit(runId);
    await settings.store.claimLease(chatId, { owner: closingOwner, until: 0 }, clock.now());
    return;
  }
  logger.error('A run failed.', { chatId, runId, error: errorFacts(error) });
  return journal.commit(runId, ...closeTurn(journal.turn, 'failed'), {
    type: 'run-failed',
    error: textOf(error),
  });
}

function textOf(error: unknown): string {
  if (error instanceof EmptyStepError) return 'The model ended without an answer. Try again.';
  if (error instanceof UnpreparedError) return 'This request could not be prepared. Try again.';
  return 'The model call failed. Try again.';
}
