import { hasProse } from '../log/response-content.ts';
import { type Call, calls, isCleared, type Step, type Turn } from '../log/turn.ts';
import type { CompletionReason, EventOf } from '../protocol/index.ts';

/** What the engine does next. Decided from the log alone, so a restart decides the same. */
export type Action =
  /** Calls that were started by an owner who is gone: their outcome is not known. */
  | { readonly type: 'settle-interrupted'; readonly calls: readonly Call[] }
  | { readonly type: 'execute'; readonly calls: readonly Call[] }
  | { readonly type: 'ask'; readonly call: Call }
  | { readonly type: 'hand-over'; readonly call: Call }
  /** Ask the model. `step` counts from 0 within the turn. */
  | { readonly type: 'step'; readonly step: number }
  /** The model has nothing more to do. */
  | { readonly type: 'complete'; readonly finishReason: string; readonly why: CompletionReason }
  /** All calls are settled: the model goes on, unless a stop condition says otherwise. */
  | { readonly type: 'continue'; readonly step: number; readonly finishReason: string };

/**
 * The engine's one decision. Calls without a gate run first, then questions are asked in call order, each
 * approved call running to its end before the next question.
 *
 * @source T1, T7, T9, T13, T14
 */
export function nextAction(turn: Turn): Action {
  const step = turn.steps.at(-1);
  if (!step) return { type: 'step', step: 0 };
  if (turn.steps.length === turn.keptSteps) return { type: 'step', step: step.step + 1 };

  const pending = calls(turn).filter((call) => !call.end);
  const interrupted = pending.filter((call) => call.started && !isLeftToProvider(call, step));
  if (interrupted.length > 0) return { type: 'settle-interrupted', calls: interrupted };
  if (!step.finished) return { type: 'step', step: step.step };

  const ready = pending.filter((call) => call.requested.executor === 'server' && isCleared(call));
  if (ready.length > 0) {
    return { type: 'execute', calls: turn.options?.oneAtATime ? ready.slice(0, 1) : ready };
  }

  for (const call of pending) {
    if (call.requested.gate.type === 'ask' && !call.answered && !call.granted) return { type: 'ask', call };
    if (call.requested.executor === 'client') return { type: 'hand-over', call };
  }

  const { finishReason } = step.finished;
  const { stepLimit = Number.POSITIVE_INFINITY } = turn.options ?? {};
  if (!wantsAnswer(turn)) return { type: 'complete', finishReason, why: whyOver(step.finished) };
  return turn.steps.length - turn.keptSteps < stepLimit
    ? { type: 'continue', step: step.step + 1, finishReason }
    : { type: 'complete', finishReason, why: 'step-limit' };
}

function whyOver(last: EventOf<'step-finished'>): CompletionReason {
  if (!isExecutable(last.finishReason)) return 'cut-off';
  return hasProse(last) ? 'answered' : 'silent';
}

/** The last step called tools, so the model is to be told what they came to: its turn is not over by itself. */
export function wantsAnswer(turn: Turn): boolean {
  const step = turn.steps.at(-1);
  const called = calls(turn).some((call) => call.step === step?.step && wantsAnotherStep(call));
  return called && step?.finished !== undefined && isExecutable(step.finished.finishReason);
}

/** The model call that was to run it came to its end, so the provider had its chance to report. @source T14 */
function isLeftToProvider({ requested, step: own }: Call, { step, finished }: Step): boolean {
  return requested.executor === 'provider' && finished !== undefined && step > own;
}

/** A provider's own call is settled by the provider, except where it waits for us to call it again. */
function wantsAnotherStep({ requested, answered, end }: Call): boolean {
  if (requested.executor !== 'provider') return true;
  return answered !== undefined || (requested.deferred === true && !end);
}

/** Calls of a step that ended otherwise (cut off, filtered, failed) are never executed. @source DESIGN, traps */
export function isExecutable(finishReason: string): boolean {
  return finishReason === 'stop' || finishReason === 'tool-calls';
}
