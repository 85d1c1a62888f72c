import type { Turn } from '../../log/turn/turn.ts';
import type { Run } from '../run.ts';
import { stepRecords } from '../step/step-records.ts';

const defaultStepLimit = 20;

/** True if `stopWhen` ends the work of a model: that of the turn, or that of a subagent by its own settings. */
export async function isStopped(
  { settings, principal, chatId }: Pick<Run, 'settings' | 'principal' | 'chatId'>,
  turn: Turn,
): Promise<boolean> {
  const { stopWhen } = settings;
  // Another answer needs at least one step. Steps before the cut were counted when they ran.
  if (stopWhen === undefined) {
    const finished = turn.steps.filter((step) => step.finished !== undefined).length;
    return finished - turn.keptSteps >= defaultStepLimit;
  }
  const steps = stepRecords(turn, settings).slice(turn.keptSteps);
  const conditions = Array.isArray(stopWhen) ? stopWhen : [stopWhen];
  const results = await Promise.all(conditions.map((condition) => condition({ steps, principal, chatId })));
  return results.some(Boolean);
}
