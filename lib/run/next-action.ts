import { hasProse } from '../log/turn/response-content.ts';
import { type Call, calls, isCleared, type Step, type Turn } from '../log/turn/turn.ts';
import { isExecutable, wantsAnswer } from '../log/turn/wants-answer.ts';
import type { CompletionReason, EventOf } from '../protocol/index.ts';

/** What the engine does next. Decided from the log alone, so a restart decides the same. */
export type Action =
  /** Calls that a previous owner started: their outcome is unknown. */
  | { readonly type: 'settle-interrupted'; readonly calls: readonly Call[] }
  | { readonly type: 'execute'; readonly calls: readonly Call[] }
  | { readonly type: 'ask'; readonly call: Call }
  | { readonly type: 'hand-over'; readonly call: Call }
  /** Ask the model. `step` counts from 0 within the turn. */
  | { readonly type: 'step'; readonly step: number }
  /** The model has nothing more to do. */
  | { readonly type: 'complete'; readonly finishReason: string; readonly why: CompletionReason }
  /** All calls are settled: the model continues, unless a stop condition is met. */
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

/** The model call that was to run it has ended, so the provider could have reported. @source T14 */
function isLeftToProvider({ requested, step: own }: Call, { step, finished }: Step): boolean {
  return requested.executor === 'provider' && finished !== undefined && step > own;
}
