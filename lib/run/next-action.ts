import { hasProse } from '../log/turn/response-content.ts';
import { agentTurn, type Call, isCleared, ownCalls, type Step, type Turn } from '../log/turn/turn.ts';
import { isExecutable, wantsAnswer } from '../log/turn/wants-answer.ts';
import type { CompletionReason, EventOf } from '../protocol/index.ts';
import { usedOutput } from './step/turn-limits.ts';

/** The engine's next action. It follows from the log alone, so the decision is the same after a restart. */
export type Action =
  /** Calls that a previous owner started: their outcome is unknown. */
  | { readonly type: 'end-interrupted'; readonly calls: readonly Call[] }
  | { readonly type: 'execute'; readonly calls: readonly Call[] }
  /** Subagents with work to do: a step, or the end of their work. */
  | { readonly type: 'agents'; readonly agents: readonly AgentAction[] }
  | { readonly type: 'ask'; readonly call: Call }
  | { readonly type: 'hand-over'; readonly call: Call }
  /** Ask the model. `step` counts from 0 within the turn. */
  | { readonly type: 'step'; readonly step: number }
  /** The model has nothing more to do. */
  | { readonly type: 'complete'; readonly finishReason: string; readonly why: CompletionReason }
  /** All calls are settled: the model continues, unless a stop condition is met. */
  | { readonly type: 'continue'; readonly step: number; readonly finishReason: string };

/** What a subagent does next, for its call. */
export type AgentAction = {
  readonly call: Call;
  readonly next: Extract<Action, { type: 'step' | 'continue' | 'complete' }>;
};

/**
 * The engine's one decision. Calls without a gate run first, then questions are asked in call order, each
 * approved call running to its end before the next question. Subagents work before a question is asked, so that
 * nothing runs while it waits.
 *
 * @source T1, T7, T9, T13, T14
 */
export function nextAction(turn: Turn): Action {
  const due = actionsOf(turn, turn);
  const interrupted = due.flatMap((action) => (action.type === 'end-interrupted' ? action.calls : []));
  if (interrupted.length > 0) return { type: 'end-interrupted', calls: interrupted };
  const ready = due.flatMap((action) => (action.type === 'execute' ? action.calls : []));
  if (ready.length > 0) {
    return { type: 'execute', calls: turn.options?.oneAtATime ? ready.slice(0, 1) : ready };
  }
  const agents = due.flatMap((action) => (action.type === 'agents' ? action.agents : []));
  if (agents.length > 0) {
    return { type: 'agents', agents: turn.options?.oneAtATime ? agents.slice(0, 1) : agents };
  }
  const [first] = due;
  if (!first) throw new Error('A turn always has a next action.');
  return first;
}

/** What a model and its subagents could do next, in call order: at least one action. */
function actionsOf(turn: Turn, own: Turn): readonly Action[] {
  const step = own.steps.at(-1);
  if (!step) return [{ type: 'step', step: 0 }];
  if (own.steps.length === own.keptSteps) return [{ type: 'step', step: step.step + 1 }];

  const pending = ownCalls(own).filter((call) => !call.end);
  const interrupted = pending.filter((call) => call.started && !isLeftToProvider(call, step));
  if (interrupted.length > 0) return [{ type: 'end-interrupted', calls: interrupted }];
  if (!step.finished) return [{ type: 'step', step: step.step }];
  const due = pending.flatMap((call) => actionsFor(turn, call));
  return due.length > 0 ? due : [afterCalls(own, step.step, step.finished)];
}

function actionsFor(turn: Turn, call: Call): readonly Action[] {
  const { executor, agent, gate } = call.requested;
  if (executor === 'server' && isCleared(call)) {
    return agent ? agentActions(turn, call) : [{ type: 'execute', calls: [call] }];
  }
  if (gate.type === 'ask' && !call.answered && !call.granted) return [{ type: 'ask', call }];
  return executor === 'client' ? [{ type: 'hand-over', call }] : [];
}

/** A subagent decides by its own log, as the turn does. @source ADR 0035 */
function agentActions(turn: Turn, call: Call): readonly Action[] {
  return actionsOf(turn, agentTurn(turn, call)).map((next) =>
    next.type === 'step' || next.type === 'continue' || next.type === 'complete'
      ? { type: 'agents', agents: [{ call, next }] }
      : next,
  );
}

function afterCalls(own: Turn, step: number, finished: EventOf<'step-finished'>): Action {
  const { finishReason } = finished;
  const { stepLimit = Number.POSITIVE_INFINITY, outputLimit = Number.POSITIVE_INFINITY } = own.options ?? {};
  if (!wantsAnswer(own)) return { type: 'complete', finishReason, why: whyOver(finished) };
  if (usedOutput(own) >= outputLimit)
    return { type: 'complete', finishReason: 'length', why: 'output-limit' };
  return own.steps.length - own.keptSteps < stepLimit
    ? { type: 'continue', step: step + 1, finishReason }
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
