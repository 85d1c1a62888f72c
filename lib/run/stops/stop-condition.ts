import type { Turn } from '../../log/turn/turn.ts';
import type { CompletionReason } from '../../protocol/index.ts';
import type { Run } from '../run.ts';
import { stepRecords } from '../step/step-records.ts';

const defaultStepLimit = 20;

type StepRecords = ReturnType<typeof stepRecords>;

/** Why `stopWhen` ends the work of a model; `undefined` if it does not. */
export async function stopReason(
  { settings, principal, chatId }: Pick<Run, 'settings' | 'principal' | 'chatId'>,
  turn: Turn,
): Promise<Extract<CompletionReason, 'stop-condition' | 'step-limit'> | undefined> {
  const { stopWhen } = settings;
  // Another answer needs at least one step. Steps before the cut were counted when they ran.
  if (stopWhen === undefined) {
    const finished = turn.steps.filter((step) => step.finished !== undefined).length;
    return finished - turn.keptSteps >= defaultStepLimit ? 'step-limit' : undefined;
  }
  const steps = stepRecords(turn, settings).slice(turn.keptSteps);
  const conditions = Array.isArray(stopWhen) ? stopWhen : [stopWhen];
  const isMet = (condition: (typeof conditions)[number], given: StepRecords) =>
    condition({ steps: given, principal, chatId });
  const results = await Promise.all(conditions.map((condition) => isMet(condition, steps)));
  const met = conditions.filter((_condition, index) => results[index]);
  if (met.length === 0) return undefined;
  const counts = await Promise.all(
    met.map((condition) => isCount((given) => isMet(condition, given), steps)),
  );
  return counts.every(Boolean) ? 'step-limit' : 'stop-condition';
}

/** As many steps, of which nothing is known, meet a condition that counts them. One that reads them is not met, or throws. */
async function isCount(isMet: (given: StepRecords) => unknown, { length }: StepRecords): Promise<boolean> {
  try {
    return Boolean(await isMet(Array(length))) && !(await isMet([]));
  } catch {
    return false;
  }
}
