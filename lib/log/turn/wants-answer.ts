import { type Call, ownCalls, type Turn } from './turn.ts';

/** True if the model has not yet seen the results of the last step's calls. */
export function wantsAnswer(turn: Turn): boolean {
  const step = turn.steps.at(-1);
  const called = ownCalls(turn).some((call) => call.step === step?.step && wantsAnotherStep(call));
  return called && step?.finished !== undefined && isExecutable(step.finished.finishReason);
}

/** A provider's own call is ended by the provider, except where it waits for us to call it again. */
function wantsAnotherStep({ requested, answered, end }: Call): boolean {
  if (requested.executor !== 'provider') return true;
  return answered !== undefined || (requested.deferred === true && !end);
}

/** Calls of a step that ended otherwise (cut off, filtered, failed) are never executed. */
export function isExecutable(finishReason: string): boolean {
  return finishReason === 'stop' || finishReason === 'tool-calls';
}
