import type { Journal } from '../../log/journal.ts';
import { type EventBody, personOf, type RunId } from '../../protocol/index.ts';
import type { RespondRequest } from '../requests.ts';
import type { SortedAnswers } from './sort-answers.ts';

/**
 * Makes new answers durable and continues the turn in a new run. Answer and start of the run are one append.
 *
 * @throws Conflict when the question was settled meanwhile
 */
export async function submitAnswered(
  journal: Journal,
  { principal }: Pick<RespondRequest, 'principal'>,
  { engine, events, awaitsOutput }: SortedAnswers,
): Promise<RunId> {
  const runId = engine.ids.run();
  if (awaitsOutput) {
    await journal.commit(runId, ...events);
    return runId;
  }
  const run = { runId, principal, settings: engine.prepared };
  await engine.begin(journal, run, continued(journal, principal), ...events);
  return runId;
}

/** The start of a run that continues the open turn. */
export function continued(journal: Journal, principal: RespondRequest['principal']): EventBody {
  const { messageId, release } = journal.turn;
  if (messageId === undefined) throw new Error('There is no turn to go on with.');
  return { type: 'run-started', messageId, release, by: personOf(principal) };
}
