import type { Journal } from '../../log/journal.ts';
import type { RunId } from '../../protocol/index.ts';
import { continued } from '../../run/continued.ts';
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
  await engine.resume(journal, run, continued(journal, principal), ...events);
  return runId;
}
