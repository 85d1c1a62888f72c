import { Conflict } from '../../log/conflict.ts';
import { errorFacts } from '../../protocol/index.ts';
import { closeTurn } from '../close-turn.ts';
import { UnpreparedError } from '../prepare-run.ts';
import type { Run } from '../run.ts';
import { EmptyStepError } from '../step/finish-step.ts';
import { stepRecords } from '../step/step-records.ts';
import { failureCodeOf } from './failure-code.ts';
import { TimedOut } from './time-limits.ts';

/**
 * Ends a run that threw: stopped, failed, or without an end for another instance.
 *
 * @param closingOwner if the instance closes
 * @throws Conflict
 */
export async function endEarly(run: Run, error: unknown, closingOwner: string | undefined): Promise<void> {
  const { journal, runId, chatId, stops, settings, clock, logger, callbacks } = run;
  const { stopSignal } = stops;
  if (Conflict.is(error)) throw error;
  if (Conflict.is(stopSignal.reason)) throw stopSignal.reason;
  const failure: unknown = stopSignal.reason instanceof TimedOut ? stopSignal.reason : error;
  if (stopSignal.aborted && !(failure instanceof TimedOut)) {
    const end = { type: 'run-cancelled', reason: 'stopped' } as const;
    return journal.commit(runId, ...closeTurn(journal.turn, 'cancelled'), end);
  }
  if (closingOwner !== undefined) {
    await journal.commit(runId);
    await settings.store.runs.claimLease(chatId, { owner: closingOwner, until: 0 }, clock.now());
    return;
  }
  const place = { chatId, runId };
  if (failure instanceof TimedOut) {
    const steps = stepRecords(journal.turn, settings);
    callbacks.call('onAbort', { ...place, callId: runId, steps, reason: failure });
  } else callbacks.reportError(failure, place);
  logger.error('A run failed.', { chatId, runId, error: errorFacts(failure) });
  const code = failureCodeOf(failure);
  const end = { type: 'run-failed', error: shownError(failure), code } as const;
  return journal.commit(runId, ...closeTurn(journal.turn, 'failed'), end);
}

function shownError(failure: unknown): string {
  if (failure instanceof TimedOut) return 'The answer took too long. Try again.';
  if (failure instanceof EmptyStepError) return 'The model ended without an answer. Try again.';
  if (failure instanceof UnpreparedError) return 'This request could not be prepared. Try again.';
  return 'The model call failed. Try again.';
}
